"""Surfaces of parts that may touch."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from faying.fem.facet_index import FacetIndex, build_facet_index
from faying.fem.facing_areas import NodalFacets, nodal_facets
from faying.fem.surface import FacetBlock, Surface, nodal_areas
from faying.multibody.contacts.gap_kernels import SurfaceSides
from faying.multibody.contacts.round_face import Roller
from faying.multibody.contacts.search_kernels import FacetTable, facet_table
from faying.multibody.part import RIGID
from faying.reduction.body import ReducedBody

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

_SAME = 1e-9  # of the size: distance of points that are one


@dataclass(frozen=True, eq=False)
class PartSurface:
    """The nodes and facets of a part's surface, in the part's frame.

    Attributes:
        places: (n, 3) undeformed.
        displacements: (n, 3, r) of the nodes by the part's flexible coordinates; r = 0 for a rigid part.
        areas: (n,) area that each node represents, on all facets around it.
        facets: the undeformed facets; nodes are counted within the surface.
        nodal_facets: those around each node, for the area that faces a pressing surface.
        numbers: (n,) of the nodes in the part's mesh, rising.
        roller: the round face of a cylinder, whose facets then have no areas; None of other surfaces.
    """

    places: np.ndarray
    displacements: np.ndarray
    areas: np.ndarray
    facets: FacetIndex
    nodal_facets: NodalFacets
    numbers: np.ndarray
    roller: Roller | None = None

    def deformed(self, q: np.ndarray) -> np.ndarray:
        """Return (n, 3) places of the nodes in the part's frame, for its coordinates (7 + r,), or (0,) of ground."""
        if self.is_rigid:
            return self.places
        return np.asarray(self.places + superposed(self.displacements, q[RIGID:]))

    @property
    def is_rigid(self) -> bool:
        """Whether it does not deform."""
        return not self.displacements.shape[2]

    @property
    def width(self) -> int:
        """Nodes of the facet that has most of them."""
        return max((kind.n_nodes for kind in self.facets.kinds), default=0)

    def farther_than(self, points: np.ndarray) -> np.ndarray:
        """Return (n,) distances that points (n, 3) in the part's frame at least have from the undeformed surface."""
        return np.asarray(self._centres.query(points)[0] - self.facets.radii.max())

    @cached_property
    def facet_table(self) -> FacetTable:
        """The facets as arrays."""
        return facet_table(self.facets)

    @cached_property
    def sides(self) -> SurfaceSides:
        """Its normals at edges and corners, and where it ends."""
        count = len(self.facets.normals)
        across, ends = np.full((count, 4), -1), np.zeros((count, 4), bool)
        for start, others, outer in zip(self.facets.starts, self.neighbours, self.outer_edges, strict=True):
            rows = slice(int(start), int(start) + len(others))
            across[rows, : others.shape[1]], ends[rows, : outer.shape[1]] = others, outer
        return SurfaceSides(
            self.facets.normals, self.vertex_normals, across, ends, self.outer_nodes, self._ridges(across)
        )

    def _ridges(self, across: np.ndarray) -> np.ndarray:
        """Return (n, 2) facet and edge of the sharpest edge that runs out at a node where the surface ends, or −1."""
        table, normals = self.facet_table, self.facets.normals
        facets, edges = np.nonzero(across >= 0)
        cosines = np.einsum("mc,mc->m", normals[facets], normals[across[facets, edges]])
        after = (edges + 1) % table.sizes[table.shapes[facets], 1]
        owners = np.concatenate([table.connectivity[facets, at] for at in (edges, after)])
        order = np.lexsort((np.tile(facets, 2), np.tile(cosines, 2), owners))
        order = order[self.outer_nodes[owners[order]]]
        owners, first = np.unique(owners[order], return_index=True)
        chosen = order[first] % len(facets)
        found = np.full((len(self.places), 2), -1)
        found[owners] = np.column_stack([facets[chosen], edges[chosen]])
        return found

    @cached_property
    def _centres(self) -> "cKDTree":
        from scipy.spatial import cKDTree  # late: takes long to import

        return cKDTree(self.facets.centres)

    @cached_property
    def thickness(self) -> float:
        """Smallest distance from a facet through the solid to another one that faces the other way.

        Infinity where there is none within two and a half facets.
        """
        centres, normals = self.facets.centres, self.facets.normals
        pairs = self._centres.query_pairs(2.5 * self.facets.mean_edge, output_type="ndarray")
        one, other = np.concatenate([pairs, pairs[:, ::-1]]).T
        through = np.einsum("mc,mc->m", centres[one] - centres[other], normals[one])
        opposite = np.einsum("mc,mc->m", normals[one], normals[other]) < -0.5
        return float(through[opposite & (through > 0.0)].min(initial=np.inf))

    @cached_property
    def outer_edges(self) -> list[np.ndarray]:
        """For each block (n, n_edges) whether an edge belongs to only one facet: there the surface ends."""
        return self.facets.outer_edges()

    @cached_property
    def outer_nodes(self) -> np.ndarray:
        """(n,) whether a node lies where the surface ends."""
        found = np.zeros(len(self.places), bool)
        for kind, rows, outer in zip(
            self.facets.kinds, self.facets.connectivity, self.outer_edges, strict=True
        ):
            for e, edge in enumerate(kind.edges):
                found[rows[outer[:, e]][:, list(edge)]] = True
        return found

    @cached_property
    def incidence(self) -> tuple[np.ndarray, np.ndarray]:
        """Starts (n + 1,) of each node's own facets, and their numbers one after the other."""
        nodes = np.concatenate([c.ravel() for c in self.facets.connectivity])
        facets = np.concatenate(
            [
                np.repeat(start + np.arange(len(c)), c.shape[1])
                for start, c in zip(self.facets.starts, self.facets.connectivity, strict=True)
            ]
        )
        order = np.lexsort((facets, nodes))
        return np.searchsorted(nodes[order], np.arange(len(self.places) + 1)), facets[order]

    @cached_property
    def neighbours(self) -> list[np.ndarray]:
        """For each block (n, n_edges) the facet on the other side of an edge, −1 where the surface ends."""
        kinds, blocks = self.facets.kinds, self.facets.connectivity
        ends = [np.sort(c[:, [e[:2] for e in k.edges]], axis=2) for k, c in zip(kinds, blocks, strict=True)]
        flat = np.concatenate([e.reshape(-1, 2) for e in ends])
        owners = np.concatenate(
            [
                np.repeat(start + np.arange(len(e)), e.shape[1])
                for start, e in zip(self.facets.starts, ends, strict=True)
            ]
        )
        order = np.lexsort((owners, flat[:, 1], flat[:, 0]))
        same = (flat[order][1:] == flat[order][:-1]).all(axis=1)
        others = np.full(len(flat), -1)
        others[order[:-1][same]] = owners[order[1:][same]]
        others[order[1:][same]] = owners[order[:-1][same]]
        cuts = np.cumsum([e.shape[0] * e.shape[1] for e in ends])[:-1]
        return [o.reshape(e.shape[:2]) for o, e in zip(np.split(others, cuts), ends, strict=True)]

    @cached_property
    def vertex_normals(self) -> np.ndarray:
        """(n, 3) mean unit normals of the undeformed facets round each node, by their angles there.

        They determine on which side a point is whose closest point is a corner (Baerentzen and Aanaes 2005).
        """
        normals = np.zeros((len(self.places), 3))
        for kind, x, rows in zip(
            self.facets.kinds, self.facets.coordinates, self.facets.connectivity, strict=True
        ):
            for i in range(kind.n_corners):
                ahead = x[:, (i + 1) % kind.n_corners] - x[:, i]
                behind = x[:, (i - 1) % kind.n_corners] - x[:, i]
                across = np.cross(ahead, behind)
                angle = np.arctan2(np.linalg.norm(across, axis=1), np.einsum("nc,nc->n", ahead, behind))
                normal = kind.normals(x, *kind.node_coordinates[i])
                length = np.linalg.norm(normal, axis=1)
                normal *= (angle / np.where(length > 0.0, length, 1.0))[:, None]
                np.add.at(normals, rows[:, i], normal)
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        return np.asarray(normals / np.where(lengths > 0.0, lengths, 1.0))


def superposed(displacements: np.ndarray, amplitudes: np.ndarray) -> np.ndarray:
    """Return (n, 3) displacements (n, 3, r) of shapes with amplitudes (r,).

    NumPy would multiply a small matrix for each node, which takes three to fourteen times as long as one of all.
    """
    n, _, r = displacements.shape
    return np.asarray((displacements.reshape(3 * n, r) @ amplitudes).reshape(n, 3))


def generalised_forces(displacements: np.ndarray, on_nodes: np.ndarray) -> np.ndarray:
    """Return (s, r) the generalised forces of sets of nodal forces on the amplitudes of shapes.

    Args:
        displacements: (n, 3, r) of all nodes by the shapes.
        on_nodes: (s, 3 n) forces, node by node.
    """
    n, _, r = displacements.shape
    if not r:
        return np.zeros((len(on_nodes), 0))
    loaded = np.flatnonzero(on_nodes.any(axis=0))
    if len(loaded) < 3 * n // 4:  # most of a large surface is not touched: copy only the rest
        return np.asarray(on_nodes[:, loaded] @ displacements.reshape(3 * n, r)[loaded])
    return np.asarray(on_nodes @ displacements.reshape(3 * n, r))


def surface_of_mesh(
    surface: Surface,
    nodes: np.ndarray,
    displacements: np.ndarray | None = None,
    origin: np.ndarray | None = None,
) -> PartSurface:
    """Return a surface of a part.

    Args:
        surface: its facets.
        nodes: (m, 3) coordinates of the mesh's nodes.
        displacements: (3 m, r) rows of all nodes, node-major; a rigid surface without them.
        origin: (3,) of the part's frame in the mesh's coordinates, whose axes are its own.
    """
    rows = surface.nodes
    blocks = tuple(
        FacetBlock(b.facet, np.searchsorted(rows, b.connectivity), b.elements, b.faces)
        for b in surface.blocks
    )
    places = nodes[rows] - (np.zeros(3) if origin is None else origin)
    shapes = np.zeros((len(rows), 3, 0))
    if displacements is not None:
        shapes = np.ascontiguousarray(displacements.reshape(len(nodes), 3, -1)[rows])
    index = build_facet_index(places, Surface(surface.name, blocks))
    return PartSurface(places, shapes, nodal_areas(surface, nodes), index, nodal_facets(surface, nodes), rows)


def surface_of_triangles(name: str, points: np.ndarray, triangles: np.ndarray) -> tuple[Surface, np.ndarray]:
    """Return facets and (n, 3) nodes of triangles, with coinciding points as one and without triangles of no area.

    Args:
        name: of the surface.
        points: (m, 3).
        triangles: (k, 3) rows of them.
    """
    size = float(np.ptp(points, axis=0).max(initial=0.0)) or 1.0
    _, first, same = np.unique(
        np.round(points / (_SAME * size)), axis=0, return_index=True, return_inverse=True
    )
    corners = np.ravel(same)[triangles]
    proper = np.array([len(set(row)) == 3 for row in corners.tolist()], dtype=bool)
    none = np.zeros(int(proper.sum()), np.int64)
    return Surface(name, (FacetBlock("tri3", corners[proper], none, none),)), points[first]


def surface_of_body(surface: Surface, body: ReducedBody, origin: np.ndarray | None = None) -> PartSurface:
    """Return a surface of a flexible part; for arguments see `surface_of_mesh`."""
    return surface_of_mesh(surface, body.nodes, body.displacements, origin)
