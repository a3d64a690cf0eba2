"""Search for nodes near enough to a surface to be tied: the facets below them, and adjusted positions."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from faying.fem.facet_index import FacetIndex
from faying.fem.projection import project_points

USUAL_DISTANCE = 0.05  # relative to the mean edge length of the master's facets, as in Abaqus


@dataclass(frozen=True, eq=False)
class TiedNodes:
    """Nodes that can be tied to a surface.

    Attributes:
        within: (n,) mask of the given nodes that are near enough.
        shares: CSR (m, n_nodes) shape functions of the facet below each near node.
        facets: (m,) node rows of that facet.
        nodes: (n_nodes, 3) coordinates of all nodes after adjustment.
    """

    within: np.ndarray
    shares: sp.csr_matrix
    facets: list[np.ndarray]
    nodes: np.ndarray


def find_tied_nodes(
    nodes: np.ndarray,
    own: np.ndarray,
    own_heights: np.ndarray,
    index: FacetIndex,
    heights: np.ndarray,
    distance: float,
    *,
    adjust: bool,
) -> TiedNodes:
    """Return the nodes near enough to a surface, and the facets below them.

    Args:
        nodes: (n_nodes, 3) coordinates of the model's nodes.
        own: (n,) rows of the nodes that may be tied; none of them belongs to the surface.
        own_heights: (n,) heights of the outer faces of shells above them (`nodal_heights`).
        index, heights: facets of the surface, and (n_facets,) their heights.
        distance: largest distance between the outer faces of node and surface.
        adjust: whether nodes are moved until the outer faces touch; nearer nodes stay, since meshes of middle surfaces
            may touch.
    """
    reach = distance + float(heights.max(initial=0.0)) + float(own_heights.max(initial=0.0))
    # The orientation of the nodes' surface is irrelevant: zero normals face every facet.
    found = project_points(nodes[own], np.zeros((len(own), 3)), index, reach, 90.0)
    within = found.facets >= 0
    allowed = heights[found.facets[within]] + own_heights[within]
    near = found.distances[within] <= distance + allowed
    within[within], allowed = near, allowed[near]
    tied, numbers, local = own[within], found.facets[within], found.local[within]
    placed = np.array(nodes)
    rows, columns, values = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    facets: list[np.ndarray] = [np.zeros(0, np.int64)] * len(tied)
    for block, at, of_block in index.blocks_of(numbers):
        masters, shapes = index.connectivity[block][of_block], index.kinds[block].shape(*local[at].T)
        rows.append(np.repeat(at, masters.shape[1]))
        columns.append(masters.ravel())
        values.append(shapes.ravel())
        for i, facet in zip(at.tolist(), masters, strict=True):
            facets[i] = facet
        if adjust:
            points = np.einsum("nk,nkx->nx", shapes, nodes[masters])
            arms = nodes[tied[at]] - points
            lengths = np.linalg.norm(arms, axis=1)
            shorter = np.minimum(1.0, allowed[at] / np.maximum(lengths, 1e-300))
            placed[tied[at]] = points + arms * shorter[:, None]
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return TiedNodes(within, sp.csr_matrix(entries, shape=(len(tied), len(nodes))), facets, placed)
