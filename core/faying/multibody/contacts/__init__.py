"""Contact between parts in large motion: surfaces, search, gaps and their derivatives, forces.

All is a function of the surfaces' relative place: gaps are measured in the master's frame. So all forces act on slave
and master with opposite forces and moments, to round-off.

An evaluation (`contact.PartContact.evaluate`) takes the slave's nodes to the master's frame (`force.places_in_frame`),
lists the facets that are near when the last list is no longer valid (`search.near_facets`), finds the gaps
(`search.closest_points`, or those of a shape by formula), and the forces of both laws with their changes
(`force.normal_forces`, `friction.friction_forces`). The data of an accepted step are `contact.ContactMemory`:
the friction references move (`friction.moved_references`), and `approach.longest_approach` limits the next step.
`of_system.SystemContacts` adds the contacts of a system to its equations.

Balls, the round faces of cylinders and sharp edges touch at points that move along them
(`moving_points.MovingPointContact`). `completing.completing` adds to the contact of nodes of rigid bodies all that it
takes for them to carry each other wherever they touch.
"""
