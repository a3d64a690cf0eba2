"""A part that touches itself: which nodes and facets of one body may ever press on each other.

On the surface of one body much is near that never touches: the facets round a node, those beside them, the other side
of a wall. What comes together when the body bends is what looks at each other across a gap of the undeformed body, and
that alone is kept. The body deforms little, so it is told by the undeformed one.
"""

import numpy as np

from faying.multibody.contacts.search import NearFacets
from faying.multibody.contacts.surface import PartSurface

# Cosines between normals: from where on two facets look at each other, which the faces of a right-angled corner do not,
# and up to where they look the same way.
_OPPOSITE, _ALIKE = -0.1, 0.5
# In parts of a facet: how deep surfaces may overlap undeformed. What is deeper behind each other is a wall.
_OVERLAP = 0.01


def pairs_across_gaps(master: PartSurface, slave: PartSurface, near: NearFacets) -> NearFacets:
    """Return the pairs of a node and a facet of one part that look at each other across a gap.

    Some facet of the node's own has to look at the facet, and one of both planes to have the other one's owner before
    it: what lies behind each other has the solid between. A node of both surfaces presses neither on facets that it
    belongs to, nor on what goes on from them.

    Args:
        master, slave: surfaces of one body, in the same frame.
        near: pairs of the slave's nodes and the master's facets.
    """
    normals, centres = master.facets.normals[near.facets], master.facets.centres[near.facets]
    ways = slave.places[near.points] - centres
    before = np.einsum("mc,mc->m", ways, normals)
    pairs, own = _own_facets(slave, near.points)
    looks = slave.facets.normals[own]
    ahead = np.maximum(before[pairs], -np.einsum("mc,mc->m", ways[pairs], looks))
    facing = np.einsum("mc,mc->m", looks, normals[pairs]) < _OPPOSITE
    facing &= ahead >= -_OVERLAP * master.facets.mean_edge
    across = np.zeros(len(near.points), bool)
    across[pairs[facing]] = True
    # The slave's nodes among the master's.
    at = np.minimum(np.searchsorted(master.numbers, slave.numbers), len(master.numbers) - 1)
    shared = np.flatnonzero((master.numbers[at] == slave.numbers)[near.points])
    pairs, own = _own_facets(master, at[near.points[shared]])
    pairs = shared[pairs]
    alike = np.einsum("mc,mc->m", master.facets.normals[own], normals[pairs]) > _ALIKE
    across[pairs[alike]] = False
    return near.of(across)


def _own_facets(surface: PartSurface, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for nodes (m,), which may repeat, all (number among them, facet that it belongs to)."""
    starts, facets = surface.incidence
    counts = np.diff(starts)[nodes]
    pairs = np.repeat(np.arange(len(nodes)), counts)
    within = np.arange(len(pairs)) - np.repeat(np.cumsum(counts) - counts, counts)
    return pairs, facets[starts[nodes][pairs] + within]
