"""Contact between parts in large motion: surfaces, search, gaps and their derivatives, forces.

All is a function of the surfaces' relative place: gaps are measured in the master's frame. So whatever follows from
them acts on slave and master with opposite forces and moments, to round-off.

An evaluation takes the slave's nodes to the master's frame (`force.places_in_frame`), looks which facets are near when
the last list no longer holds (`search.near_facets`), finds the gaps (`search.surface_gaps`, or those of a shape by
formula), and the forces of both laws with their changes (`force.normal_forces`, `friction.friction_forces`). When a
step is accepted the anchors of friction slide on (`friction.slid_anchors`), and `approach.longest_approach` limits the
next one.
"""
