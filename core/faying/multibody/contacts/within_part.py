"""A part that touches itself: which nodes and facets of one body may ever press on each other.

On the surface of one body many facets are near that never touch: those around a node, their neighbours, the other side
of a wall. Only nodes and facets that face each other across a gap of the undeformed body can touch when it bends, and
only these pairs are kept. The body deforms little, so the undeformed one decides.
"""

import numpy as np

from faying.multibody.contacts.search import NearFacets
from faying.multibody.contacts.surface import PartSurface

# Cosines between normals: beyond which two facets face each other, which the faces of a right-angled corner do not,
# and up to which they face the same way.
_OPPOSITE, _ALIKE = -0.1, 0.5
# In parts of a facet: how deep surfaces may overlap undeformed. What is deeper behind each other is a wall.
_OVERLAP = 0.01


def pairs_across_gaps(master: PartSurface, slave: PartSurface, near: NearFacets) -> NearFacets:
    """Return the pairs of a node and a facet of one part that face each other across a gap.

    One of the node's own facets must face the facet, and the other one's owner must be in front of one of both planes:
    if both are behind each other, the solid is in between. A node of both surfaces presses neither on facets that it
    belongs to, nor on their continuation.

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
    """Return all pairs (position in nodes (m,), facet of this node); nodes may repeat."""
    starts, facets = surface.incidence
    counts = np.diff(starts)[nodes]
    pairs = np.repeat(np.arange(len(nodes)), counts)
    within = np.arange(len(pairs)) - np.repeat(np.cumsum(counts) - counts, counts)
    return pairs, facets[starts[nodes][pairs] + within]
