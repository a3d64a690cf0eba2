"""Contact between parts in large motion: surfaces, search, gaps and their derivatives, forces.

All is a function of the surfaces' relative place: gaps are measured in the master's frame. So whatever follows from
them acts on slave and master with opposite forces and moments, to round-off.
"""
