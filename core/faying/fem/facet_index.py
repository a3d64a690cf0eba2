"""An index over the facets of a surface: which of them may be near a point, and where the surface ends."""

from dataclasses import dataclass
from itertools import chain

import numpy as np
from scipy.spatial import cKDTree

from faying.fem.facets import FacetKind, facet_kind
from faying.fem.surface import Surface


@dataclass(frozen=True, eq=False)
class FacetIndex:
    """Facets in running order, with enclosing spheres.

    Attributes:
        kinds, coordinates, connectivity: of each block of the surface: shape, (n, k, 3), (n, k).
        starts: (n_blocks,) facet number at which each block begins.
        centres, radii: (n_facets, 3) and (n_facets,) spheres that enclose the facets.
        mean_edge: mean distance between neighbouring corners.
    """

    kinds: list[FacetKind]
    coordinates: list[np.ndarray]
    connectivity: list[np.ndarray]
    starts: np.ndarray
    centres: np.ndarray
    radii: np.ndarray
    mean_edge: float

    def blocks_of(self, facets: np.ndarray) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """Return (block, positions in `facets`, facets counted within that block) for facets (m,)."""
        block = np.searchsorted(self.starts, facets, side="right") - 1
        return [
            (b, at, facets[at] - self.starts[b])
            for b in range(len(self.kinds))
            if len(at := np.flatnonzero(block == b))
        ]

    def candidates(self, points: np.ndarray, margin: float) -> tuple[np.ndarray, np.ndarray]:
        """Return (point, facet) numbers, each (m,): at least all whose distance is within the margin."""
        near = cKDTree(points).query_ball_point(self.centres, self.radii + margin)
        counts = np.fromiter((len(found) for found in near), np.int64, len(near))
        flat = np.fromiter(chain.from_iterable(near), np.int64, int(counts.sum()))
        return flat, np.repeat(np.arange(len(near)), counts)

    def outer_edges(self) -> list[np.ndarray]:
        """Return for each block (n, n_edges) whether an edge belongs to one facet of the surface alone."""
        ends = [
            np.sort(c[:, [edge[:2] for edge in kind.edges]], axis=2)
            for kind, c in zip(self.kinds, self.connectivity, strict=True)
        ]
        flat = np.concatenate([e.reshape(-1, 2) for e in ends])
        _, inverse, counts = np.unique(flat, axis=0, return_inverse=True, return_counts=True)
        single = counts[inverse.ravel()] == 1
        cuts = np.cumsum([e.shape[0] * e.shape[1] for e in ends])[:-1]
        return [s.reshape(e.shape[:2]) for s, e in zip(np.split(single, cuts), ends, strict=True)]


def build_facet_index(nodes: np.ndarray, surface: Surface) -> FacetIndex:
    """Return the index of a surface.

    Args:
        nodes: (n, 3) coordinates of the model's nodes.
        surface: at least one facet.
    """
    kinds = [facet_kind(b.facet) for b in surface.blocks]
    coordinates = [nodes[b.connectivity] for b in surface.blocks]
    centres, radii, edges = [], [], []
    for kind, x in zip(kinds, coordinates, strict=True):
        corners = x[:, : kind.n_corners]
        centre = corners.mean(axis=1)
        edge = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
        reach = np.linalg.norm(x - centre[:, None], axis=2).max(axis=1)
        # A curved facet bulges beyond its nodes by less than a tenth of its longest edge.
        bulge = 0.1 * edge.max(axis=1) if kind.n_nodes > kind.n_corners else 0.0
        centres.append(centre)
        radii.append(reach * 1.001 + bulge)
        edges.append(edge.ravel())
    return FacetIndex(
        kinds,
        coordinates,
        [b.connectivity for b in surface.blocks],
        np.concatenate([[0], np.cumsum([len(x) for x in coordinates])])[:-1],
        np.concatenate(centres),
        np.concatenate(radii),
        float(np.concatenate(edges).mean()),
    )
