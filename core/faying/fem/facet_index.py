"""Spatial index of a surface's facets: candidates near a point, and the surface's outer edges."""

from dataclasses import dataclass

import numpy as np

from faying.fem.facets import FacetKind, facet_kind
from faying.fem.surface import Surface

_SLACK = 1.0 + 1e-9  # allowance for round-off in distances


@dataclass(frozen=True, eq=False)
class FacetIndex:
    """Facets in running order, with enclosing spheres and cones of normals.

    Attributes:
        kinds, coordinates, connectivity: of each block of the surface: shape, (n, k, 3), (n, k).
        starts: (n_blocks,) number of each block's first facet.
        centres, radii: (n_facets, 3) and (n_facets,) spheres that enclose the facets.
        normals, slants: (n_facets, 3) unit normals at the centres, and (n_facets,) sine of the largest angle between
            these and the facet's other normals: 0 if flat, 1 if unknown.
        mean_edge: mean distance between neighbouring corners.
    """

    kinds: list[FacetKind]
    coordinates: list[np.ndarray]
    connectivity: list[np.ndarray]
    starts: np.ndarray
    centres: np.ndarray
    radii: np.ndarray
    normals: np.ndarray
    slants: np.ndarray
    mean_edge: float

    def blocks_of(self, facets: np.ndarray) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """Return (block, positions in `facets`, facet numbers within that block) for each block of facets (m,)."""
        block = np.searchsorted(self.starts, facets, side="right") - 1
        return [
            (b, at, facets[at] - self.starts[b])
            for b in range(len(self.kinds))
            if len(at := np.flatnonzero(block == b))
        ]

    def candidates(self, points: np.ndarray, margin: float) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of point and facet numbers, each (m,): all pairs within the margin, and some farther apart."""
        from scipy.spatial import cKDTree  # late: takes long to import

        tree = cKDTree(points)
        found = []
        # Facets of similar size share a search radius less than twice what each of them needs.
        size = np.frexp(self.radii)[1]
        for exponent in np.unique(size):
            chosen = np.flatnonzero(size == exponent)
            reach = self.radii[chosen] + margin
            near = tree.sparse_distance_matrix(
                cKDTree(self.centres[chosen]), reach.max() * _SLACK, output_type="ndarray"
            )
            near = near[near["v"] <= reach[near["j"]] * _SLACK]
            found.append((near["i"], chosen[near["j"]]))
        first, second = (np.concatenate(f) for f in zip(*found, strict=True))
        return first, second

    def may_have_projections(
        self, points: np.ndarray, facets: np.ndarray, distance: float, edge_tolerance: float
    ) -> np.ndarray:
        """Return (m,) whether a point may have a projection on a facet; if not, it has none within the distance.

        The line from a point to its projection is along the facet's normal there, so the facet's radius and the spread
        of its normals bound the point's distance from the normal through the facet's centre.

        Args:
            points, facets: (m, 3) and (m,) facet numbers.
            distance: largest distance of a projection.
            edge_tolerance: how far outside a facet, relative to its size, a projection may lie.
        """
        arms = points - self.centres[facets]
        heights = np.einsum("mc,mc->m", arms, self.normals[facets])
        squared = np.einsum("mc,mc->m", arms, arms)
        # A facet extended on all sides grows by at most three tolerances; a quadratic one by the square of that.
        reach = self.radii[facets] * (1.0 + 3.0 * edge_tolerance) ** 2
        away = np.minimum(distance, np.sqrt(squared) + reach)
        near: np.ndarray = squared - heights**2 <= (reach + away * self.slants[facets]) ** 2
        return near

    def outer_edges(self) -> list[np.ndarray]:
        """Return for each block (n, n_edges) whether an edge belongs to only one facet of the surface."""
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
        surface: surface with at least one facet.
    """
    kinds = [facet_kind(b.facet) for b in surface.blocks]
    coordinates = [nodes[b.connectivity] for b in surface.blocks]
    centres, radii, edges, cones = [], [], [], []
    for kind, x in zip(kinds, coordinates, strict=True):
        corners = x[:, : kind.n_corners]
        centre = corners.mean(axis=1)
        edge = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
        reach = np.linalg.norm(x - centre[:, None], axis=2).max(axis=1)
        # A curved facet extends beyond its nodes by less than a tenth of its longest edge.
        bulge = 0.1 * edge.max(axis=1) if kind.n_nodes > kind.n_corners else 0.0
        centres.append(centre)
        radii.append(reach * 1.001 + bulge)
        edges.append(edge.ravel())
        cones.append(_cone(kind, x, edge.max(axis=1)))
    return FacetIndex(
        kinds,
        coordinates,
        [b.connectivity for b in surface.blocks],
        np.concatenate([[0], np.cumsum([len(x) for x in coordinates])])[:-1],
        np.concatenate(centres),
        np.concatenate(radii),
        np.concatenate([axis for axis, _ in cones]),
        np.concatenate([slant for _, slant in cones]),
        float(lengths.mean()) if len(lengths := np.concatenate(edges)) else 0.0,
    )


def _cone(kind: FacetKind, coordinates: np.ndarray, longest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return unit normals at the centres (n, 3), and the sines (n,) of the cones about them that contain all others.

    Args:
        kind, coordinates: of the facets, (n, k, 3).
        longest: (n,) longest edges.
    """
    axes = kind.normals(coordinates, *kind.centre)
    areas = np.linalg.norm(axes, axis=1)
    # The normal of a needle-shaped facet is round-off.
    known = areas > 1e-8 * longest**2
    axes /= np.where(known, areas, 1.0)[:, None]
    slants = np.where(known, 0.0, 1.0)
    if kind.name == "tri3":
        return axes, slants
    for local in kind.node_coordinates:
        normals = kind.normals(coordinates, *local)
        lengths = np.linalg.norm(normals, axis=1)
        across = np.linalg.norm(np.cross(axes, normals), axis=1)
        # Take twice the angle at the nodes: between and slightly outside them it can be larger.
        sines = np.minimum(2.0 * across / np.where(lengths > 0.0, lengths, np.inf), 1.0)
        backward = np.einsum("nc,nc->n", axes, normals) <= 0.0
        np.maximum(slants, np.where(backward, 1.0, sines), out=slants)
    return axes, slants
