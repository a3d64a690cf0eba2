"""The skin of a body: its exterior facets, their normals, areas and neighbours, and surfaces made of them."""

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from faying.errors import ModelError, there_are
from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import ElementBlock, FeModel
from faying.fem.surface import FacetBlock, Surface
from faying.records import record

T = TypeVar("T")


@record("skin", read_only=True)
class Skin:
    """All exterior facets of a body: those of its solid elements and both sides of its shells.

    Attributes:
        surface: the facets; a facet's number counts through its blocks in order.
        areas: (n,) area of each facet.
        centroids: (n, 3) isoparametric centre of each facet.
        normals: (n, 3) outward unit normals at the centres.
        neighbours: (m, 2) pairs of facets that share an edge, each once.
    """

    surface: Surface
    areas: np.ndarray
    centroids: np.ndarray
    normals: np.ndarray
    neighbours: np.ndarray

    @cached_property
    def _known(self) -> dict[Hashable, Any]:
        return {}

    def once(self, what: Hashable, find: Callable[[], T]) -> T:
        """Return what follows from the skin and its model, found the first time that it is asked for.

        Args:
            what: names it, with all on which it depends.
            find: finds it.
        """
        if what not in self._known:
            self._known[what] = find()
        return self._known[what]  # type: ignore[no-any-return]

    def facet_number(self, element: int, face: int) -> int:
        """Return the number of an exterior facet, -1 when that face is not exterior.

        Args:
            element: running position of the element.
            face: face number within the element, from 0.
        """
        elements, faces = elements_and_faces(self.surface)
        found = np.flatnonzero((elements == element) & (faces == face))
        return int(found[0]) if len(found) else -1

    def grow(self, seed: int, angle: float) -> np.ndarray:
        """Return (m,) ascending facet numbers reached from a seed without crossing edges sharper than `angle`.

        The angle is measured between neighbouring facets, not from the seed, so that the selection extends around a
        cylinder.

        Args:
            seed: facet number.
            angle: largest angle between the normals of neighbouring facets, in degrees.
        """
        labels = self.smooth_faces(angle)
        return np.flatnonzero(labels == labels[seed])

    def smooth_faces(self, angle: float) -> np.ndarray:
        """Return (n,) a group number for each facet, equal for facets that `grow` reaches from one another.

        Args:
            angle: largest angle between the normals of neighbouring facets, in degrees.
        """
        first, second = self.smooth_neighbours(angle).T
        n = len(self.areas)
        graph = sp.coo_matrix((np.ones(len(first), np.int8), (first, second)), shape=(n, n))
        labels: np.ndarray = connected_components(graph, directed=False)[1]
        return labels

    def smooth_neighbours(self, angle: float) -> np.ndarray:
        """Return (m, 2) pairs of facets that share an edge no sharper than an angle in degrees."""
        first, second = self.neighbours.T
        cosines = np.einsum("ij,ij->i", self.normals[first], self.normals[second])
        # With an angle of zero, round-off must not split a flat face.
        return np.asarray(self.neighbours[cosines >= np.cos(np.radians(angle)) - 1e-9])

    def part(self, facets: np.ndarray) -> "Skin":
        """Return a skin of some of the facets, by ascending number, with the neighbours among them."""
        place = np.full(len(self.areas), -1)
        place[facets] = np.arange(len(facets))
        neighbours = place[self.neighbours]
        return Skin(
            self.chosen(facets, self.surface.name), self.areas[facets], self.centroids[facets],
            self.normals[facets], neighbours[(neighbours >= 0).all(axis=1)],
        )  # fmt: skip

    def chosen(self, facets: np.ndarray, name: str) -> Surface:
        """Return some of the facets, by number, as a surface."""
        elements, faces = elements_and_faces(self.surface)
        starts = np.cumsum([0, *(len(b.connectivity) for b in self.surface.blocks)])
        blocks = []
        for block, start, stop in zip(self.surface.blocks, starts[:-1], starts[1:], strict=True):
            inside = facets[(facets >= start) & (facets < stop)]
            if len(inside):
                connectivity = block.connectivity[inside - start]
                blocks.append(FacetBlock(block.facet, connectivity, elements[inside], faces[inside]))
        return Surface(name, tuple(blocks))


def find_skin(model: FeModel) -> Skin:
    """Return the exterior facets of a model's solid elements, and both sides of its shells; beams have none."""
    elements, faces = exterior_faces(model.blocks)
    surface = surface_of_faces(model.blocks, "skin", elements, faces)
    return skin_of_surface(surface, model.nodes, shell_facets(model.blocks, surface))


def skin_of_surface(surface: Surface, nodes: np.ndarray, shells: np.ndarray | None = None) -> Skin:
    """Return facets with their normals, areas and neighbours.

    Args:
        surface: the facets.
        nodes: (n, 3) coordinates of all nodes.
        shells: (m,) which facets are sides of shells; none without it.
    """
    none = np.zeros(surface.n_facets, bool)
    return Skin(
        surface,
        facet_areas(surface, nodes),
        facet_centroids(surface, nodes),
        facet_normals(surface, nodes),
        facet_neighbours(surface, none if shells is None else shells),
    )


def exterior_faces(blocks: tuple[ElementBlock, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return (elements, faces), running positions and face numbers of the faces that occur once.

    Both sides of every shell are exterior, even on a solid, and so are all facets of a skin.
    """
    elements, faces = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    # Separately for triangles and quadrilaterals: (corners, elements, faces) of all faces of all solid elements.
    found: dict[int, list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = {}
    start = 0
    for block in blocks:
        kind = element_kinds[block.element]
        n = len(block.ids)
        for face, positions in enumerate(kind.faces):
            if kind.is_shell or kind.is_outline:
                elements.append(start + np.arange(n))
                faces.append(np.full(n, face))
                continue
            n_corners = facet_kind(kind.facets[face]).n_corners
            corners = np.sort(block.connectivity[:, list(positions[:n_corners])], axis=1)
            found.setdefault(n_corners, []).append((corners, start + np.arange(n), np.full(n, face)))
        start += n
    for parts in found.values():
        corners, owners, places = (np.concatenate(column) for column in zip(*parts, strict=True))
        alone = _rows_that_occur_once(corners)
        elements.append(owners[alone])
        faces.append(places[alone])
    element, face_number = np.concatenate(elements), np.concatenate(faces)
    order = np.lexsort((face_number, element))
    return element[order], face_number[order]


def _rows_that_occur_once(rows: np.ndarray) -> np.ndarray:
    """Return the positions of rows of non-negative integers that no other row equals."""
    # Pack as many columns as fit into one integer, to sort by fewer keys.
    base = int(rows.max(initial=0)) + 1
    keys: list[np.ndarray] = []
    size = 2**63
    for column in rows.T:
        if size * base < 2**63:
            keys[-1] = keys[-1] * base + column
            size *= base
        else:
            keys.append(column.astype(np.int64))
            size = base
    order = np.lexsort(keys)
    # Equal rows are adjacent now.
    same = np.logical_and.reduce([key[order[1:]] == key[order[:-1]] for key in keys])
    alone = np.ones(len(rows), bool)
    alone[1:] &= ~same
    alone[:-1] &= ~same
    return np.asarray(order[alone])


def surface_of_faces(
    blocks: tuple[ElementBlock, ...], name: str, elements: np.ndarray, faces: np.ndarray
) -> Surface:
    """Return element faces as a surface with one block per facet kind, in the given order.

    Args:
        blocks: of the model.
        name: of the surface.
        elements: (n,) running positions of the elements.
        faces: (n,) face numbers within each element, from 0.

    Raises:
        ModelError: when an element does not have the face.
    """
    starts = np.cumsum([0, *(len(b.ids) for b in blocks)])
    groups: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    at_block: np.ndarray = np.searchsorted(starts, elements, side="right") - 1
    for i in np.unique(at_block):
        block, inside = blocks[i], np.flatnonzero(at_block == i)
        kind = element_kinds[block.element]
        for face in np.unique(faces[inside]):
            own = inside[faces[inside] == face]
            if not 0 <= face < len(kind.faces):
                number = block.ids[elements[own[0]] - starts[i]]
                raise ModelError(
                    f"The surface {name} names face S{face + 1} of element {number} ({block.label}), "
                    f"which has {len(kind.faces) or 'no'} faces.",
                    "Choose another face.",
                )
            rows = elements[own] - starts[i]
            connectivity = block.connectivity[rows][:, list(kind.faces[face])]
            groups.setdefault(kind.facets[face], []).append((own, connectivity))
    made = []
    for facet, parts in groups.items():
        own = np.concatenate([rows for rows, _ in parts])
        order = np.argsort(own)
        connectivity = np.concatenate([c for _, c in parts])[order]
        made.append(FacetBlock(facet, connectivity, elements[own[order]], faces[own[order]]))
    return Surface(name, tuple(made))


def surface_from_deck(model: FeModel, name: str, skin: Skin | None = None) -> Surface:
    """Return a surface defined in the deck; for a node surface, the exterior facets with all nodes in it.

    Args:
        model: the body's model.
        name: name of the deck surface; case is ignored.
        skin: skin of the model, if available; avoids computing it for a node surface.

    Raises:
        ModelError: when the deck has no such surface, or it contains no facet.
    """
    found = {known.upper(): s for known, s in model.surfaces.items()}.get(name.strip().upper())
    if found is None:
        hint = there_are(name, model.surfaces, "Surfaces of the deck")
        raise ModelError(f"The deck has no surface called {name!r}.", hint)
    if len(found.nodes):
        skin = skin or find_skin(model)
        inside = np.zeros(len(model.nodes), bool)
        inside[found.nodes] = True
        whole = skin.surface.facets_within(inside)
        surface = skin.chosen(np.flatnonzero(whole), found.name)
    else:
        surface = surface_of_faces(model.blocks, found.name, found.elements, found.faces)
    if not surface.n_facets:
        raise ModelError(
            f"The deck surface {found.name} has no facets.",
            "Name element faces in it, or choose a surface in the 3D view.",
        )
    return surface


def elements_and_faces(surface: Surface) -> tuple[np.ndarray, np.ndarray]:
    """Return (n,) running element positions and (n,) face numbers of all facets of a surface."""
    elements = [np.zeros(0, np.int64), *(b.elements for b in surface.blocks)]
    faces = [np.zeros(0, np.int64), *(b.faces for b in surface.blocks)]
    return np.concatenate(elements), np.concatenate(faces)


def facet_areas(surface: Surface, nodes: np.ndarray) -> np.ndarray:
    """Return (n,) the area of each facet; quadratic facets are divided into flat triangles by their nodes."""
    areas = [facet_kind(b.facet).lumped_areas(nodes[b.connectivity]).sum(axis=1) for b in surface.blocks]
    return np.concatenate([np.zeros(0), *areas])


def surface_area(surface: Surface, nodes: np.ndarray) -> float:
    """Return the area of a surface.

    Args:
        surface: its facets.
        nodes: (n, 3) coordinates of the model's nodes.
    """
    return float(facet_areas(surface, nodes).sum())


def facet_normals(surface: Surface, nodes: np.ndarray) -> np.ndarray:
    """Return (n, 3) outward unit normals at the isoparametric centre of each facet; zero for a facet without area."""
    normals = [np.zeros((0, 3))]
    for block in surface.blocks:
        kind = facet_kind(block.facet)
        normal = kind.normals(nodes[block.connectivity], *kind.centre)
        lengths = np.linalg.norm(normal, axis=1)
        normals.append(normal / np.where(lengths > 0.0, lengths, 1.0)[:, None])
    return np.concatenate(normals)


def nodal_normals(surface: Surface, nodes: np.ndarray) -> np.ndarray:
    """Return (m, 3) outward unit normals at `surface.nodes`: area-weighted means of adjacent facets.

    Each facet contributes its normal at the node, weighted by its area lumped to the node.
    """
    sums = np.zeros((len(nodes), 3))
    for block in surface.blocks:
        kind = facet_kind(block.facet)
        coordinates = nodes[block.connectivity]
        areas = kind.lumped_areas(coordinates)
        for at, (xi, eta) in enumerate(kind.node_coordinates):
            normal = kind.normals(coordinates, xi, eta)
            lengths = np.linalg.norm(normal, axis=1)
            weights = areas[:, at] / np.where(lengths > 0.0, lengths, 1.0)
            np.add.at(sums, block.connectivity[:, at], weights[:, None] * normal)
    chosen = sums[surface.nodes]
    lengths = np.linalg.norm(chosen, axis=1)
    return np.asarray(chosen / np.where(lengths > 0.0, lengths, 1.0)[:, None])


def facet_centroids(surface: Surface, nodes: np.ndarray) -> np.ndarray:
    """Return (n, 3) the isoparametric centre of each facet."""
    middles = [np.zeros((0, 3))]
    for block in surface.blocks:
        kind = facet_kind(block.facet)
        middles.append(np.einsum("k,nkx->nx", kind.shape(*kind.centre), nodes[block.connectivity]))
    return np.concatenate(middles)


def shell_facets(blocks: tuple[ElementBlock, ...], surface: Surface) -> np.ndarray:
    """Return (n,) whether each facet of a surface is a side of a shell."""
    kinds = [np.full(len(block.ids), element_kinds[block.element].is_shell) for block in blocks]
    return np.asarray(np.concatenate([np.zeros(0, bool), *kinds])[elements_and_faces(surface)[0]])


def facet_neighbours(surface: Surface, shells: np.ndarray) -> np.ndarray:
    """Return (m, 2) pairs of facets that share an edge; edges are matched by their two corners.

    A side of a shell has neighbours only on the same side, even at the shell's border.

    Args:
        surface: the facets.
        shells: (n,) whether they are sides of shells.
    """
    edges, owners, directions = [], [], []
    start = 0
    for block in surface.blocks:
        n_corners = facet_kind(block.facet).n_corners
        for corner in range(n_corners):
            ends = block.connectivity[:, [corner, (corner + 1) % n_corners]]
            edges.append(np.sort(ends, axis=1))
            directions.append(ends[:, 0] < ends[:, 1])
            owners.append(start + np.arange(len(block.connectivity)))
        start += len(block.connectivity)
    if not edges:
        return np.zeros((0, 2), np.int64)
    edge, owner, forward = np.concatenate(edges), np.concatenate(owners), np.concatenate(directions)
    order = np.lexsort(edge.T)
    edge, owner, forward = edge[order], owner[order], forward[order]
    element, shell = elements_and_faces(surface)[0][owner], shells[owner]
    pairs = []
    # Usually two facets meet at an edge; there are more where bodies touch along an edge.
    for step in range(1, len(edge)):
        same = (edge[step:] == edge[:-step]).all(axis=1)
        if not same.any():
            break
        # Facets on the same side traverse their common edge in opposite directions; so do both sides of one shell.
        across = (forward[step:] == forward[:-step]) | (element[step:] == element[:-step])
        same &= ~(across & (shell[step:] | shell[:-step]))
        pairs.append(np.stack([owner[:-step][same], owner[step:][same]], axis=1))
    return np.concatenate([np.zeros((0, 2), np.int64), *pairs])
