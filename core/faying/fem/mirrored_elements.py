"""Repair of inverted elements: the node order of their mirror image, which has a positive volume."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from faying.fem.element_edges import edges_of_midsides
from faying.fem.elements import ElementKind, element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import DeckSurface, FeModel
from faying.fem.solid_element import SolidElement

# By number of corners of a solid; shells reverse the order of their corners.
_CORNERS = {4: (0, 2, 1, 3), 5: (0, 3, 2, 1, 4), 6: (0, 2, 1, 3, 5, 4), 8: (0, 3, 2, 1, 4, 7, 6, 5)}


def mirrored_order(kind: type[ElementKind]) -> tuple[int, ...]:
    """Return the node order (positions) in which the mirror image of an element has a positive volume.

    Applied twice, it gives the original order. Beams keep theirs. A shell's normal is reversed.
    """
    if not kind.faces:
        return tuple(range(kind.n_nodes))
    ends = edges_of_midsides(kind)
    middles = {frozenset(edge): middle for middle, edge in ends.items()}
    n_corners = kind.n_nodes - len(ends)
    order = (0, *range(n_corners - 1, 0, -1)) if kind.is_shell else _CORNERS[n_corners]
    return (
        *order,
        *(middles[frozenset(order[corner] for corner in ends[at])] for at in range(n_corners, kind.n_nodes)),
    )


def turned_right(element: str, rows: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Return node rows (n, k) with elements of negative volume mirrored.

    Formats, and programs writing the same format, differ in the orientation of the first face.

    Args:
        element: name of a solid element kind.
        rows: (n, k) rows of the nodes in our order, or the mirrored one.
        nodes: (m, 3) coordinates.
    """
    kind, found = element_kinds[element], np.array(rows)
    wrong = _signed_volumes(kind, rows, nodes) < 0.0
    found[wrong] = rows[wrong][:, list(mirrored_order(kind))]
    return found


def inverted_elements(model: FeModel) -> np.ndarray:
    """Return (m,) the running positions of solid elements whose volume is negative."""
    return np.flatnonzero(np.concatenate([np.zeros(0, bool), *_inverted(model)]))


def _inverted(model: FeModel) -> list[np.ndarray]:
    return [
        _signed_volumes(element_kinds[block.element], block.connectivity, model.nodes) < 0.0
        if issubclass(element_kinds[block.element], SolidElement)
        else np.zeros(len(block.ids), bool)
        for block in model.blocks
    ]


def with_turned_elements(model: FeModel) -> FeModel:
    """Return the model with solid elements of negative volume mirrored; nodes and surfaces are unchanged.

    Elements so distorted that only some of their Jacobians are negative stay unchanged.
    """
    turned = _inverted(model)
    if not any(wrong.any() for wrong in turned):
        return model
    blocks = []
    for block, wrong in zip(model.blocks, turned, strict=True):
        rows = np.array(block.connectivity)
        rows[wrong] = rows[wrong][:, list(mirrored_order(element_kinds[block.element]))]
        blocks.append(replace(block, connectivity=rows))
    surfaces = {name: _with_turned_faces(surface, model, turned) for name, surface in model.surfaces.items()}
    return replace(model, blocks=tuple(blocks), surfaces=surfaces)


def _with_turned_faces(surface: DeckSurface, model: FeModel, turned: list[np.ndarray]) -> DeckSurface:
    """Return the surface with faces renumbered so that they keep their nodes after elements were mirrored."""
    faces = np.array(surface.faces)
    for start, block, wrong in zip(model.block_starts, model.blocks, turned, strict=False):
        inside = (surface.elements >= start) & (surface.elements < start + len(block.ids))
        own = np.flatnonzero(inside)
        own = own[wrong[surface.elements[own] - start]]
        if len(own):
            faces[own] = np.array(_faces_of_mirror(element_kinds[block.element]))[faces[own]]
    return replace(surface, faces=faces)


def _faces_of_mirror(kind: type[ElementKind]) -> list[int]:
    """Return the new number of each face of an element after mirroring."""
    place = {node: at for at, node in enumerate(mirrored_order(kind))}
    numbers = {frozenset(face): number for number, face in enumerate(kind.faces)}
    return [numbers[frozenset(place[node] for node in face)] for face in kind.faces]


def _signed_volumes(kind: type[ElementKind], rows: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Return (n,) six times the signed volume of the polyhedron of the corners: Σ a · (b × c) over its triangles."""
    volumes = np.zeros(len(rows))
    with np.errstate(all="ignore"):  # FeModel refuses coordinates that are not finite
        centres = nodes[rows].mean(axis=1)
        for face, facet in zip(kind.faces, kind.facets, strict=True):
            corners = list(face[: facet_kind(facet).n_corners])
            for second, third in pairwise(corners[1:]):
                a, b, c = (nodes[rows[:, i]] - centres for i in (corners[0], second, third))
                volumes += np.einsum("ni,ni->n", a, np.cross(b, c))
    return volumes
