"""Conversion between facets of the skin and the deck's element and face numbers (1 for S1)."""

from collections.abc import Iterable

import numpy as np

from faying.errors import ModelError
from faying.fem.elements import element_kinds
from faying.fem.model import FeModel
from faying.fem.skin import Skin, elements_and_faces


def facet_number(model: FeModel, skin: Skin, element: int, face: int) -> int:
    """Return the number of a facet of the skin, -1 when it is not exterior.

    Raises:
        ModelError: when no element has that number.
    """
    return int(facet_numbers(model, skin, np.array([element]), np.array([face]))[0])


def facet_numbers(model: FeModel, skin: Skin, elements: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Return (n,) facet numbers of the skin, -1 where a face is not exterior.

    Args:
        model: the body's model.
        skin: its skin.
        elements: (n,) the deck's element numbers.
        faces: (n,) face numbers from 1.

    Raises:
        ModelError: when no element has one of the numbers.
    """
    ids = model.element_ids
    order = np.argsort(ids)
    at = order[np.minimum(np.searchsorted(ids[order], elements), len(ids) - 1)]
    missing = ids[at] != elements
    if missing.any():
        raise ModelError(
            f"There is no element {elements[missing][0]}.", "Choose facets of elements that the model has."
        )
    # A unique key for each face of each element; no element has 8 or more faces.
    own_elements, own_faces = elements_and_faces(skin.surface)
    own = own_elements * 8 + own_faces
    by_key = np.argsort(own)
    wanted = at * 8 + (faces - 1)
    found = by_key[np.minimum(np.searchsorted(own[by_key], wanted), len(own) - 1)]
    exterior = (own[found] == wanted) & (faces >= 1) & (faces <= 8)
    return np.where(exterior, found, -1)


def names_of_facets(model: FeModel, skin: Skin, facets: Iterable[int]) -> list[tuple[int, int]]:
    """Return (element number, face number from 1) of facets of the skin."""
    rows = np.fromiter(facets, np.int64)
    elements, faces = elements_and_faces(skin.surface)
    ids = model.element_ids[elements[rows]]
    return [(int(i), int(face) + 1) for i, face in zip(ids, faces[rows], strict=True)]


def face_in_words(model: FeModel, skin: Skin, facet: int) -> str:
    """Return a facet of the skin in the deck's terms: "face S3 of element 7", "side SNEG of shell 7"."""
    ((element, face),) = names_of_facets(model, skin, [facet])
    if _is_shell(model, int(elements_and_faces(skin.surface)[0][facet])):
        return f"side {('SPOS', 'SNEG')[face - 1]} of shell {element}"
    return f"face S{face} of element {element}"


def sets_of_facet(model: FeModel, skin: Skin, facet: int) -> dict[str, list[str]]:
    """Return the names of the deck's sets and surfaces that contain a facet, the smallest first.

    These include physical groups and components.

    Returns:
        "surface": surfaces that contain the facet (its element face, or all of its nodes); "element set": sets that
        contain its element; "node set": sets that contain all of its nodes.
    """
    elements, faces = elements_and_faces(skin.surface)
    element, face = elements[facet], faces[facet]
    starts = np.cumsum([0, *(len(block.connectivity) for block in skin.surface.blocks)])
    number = int(np.searchsorted(starts, facet, side="right")) - 1
    nodes = skin.surface.blocks[number].connectivity[facet - starts[number]]

    def holds_all(rows: np.ndarray) -> bool:
        return all(bool((rows == node).any()) for node in nodes)

    found: dict[str, list[tuple[int, str]]] = {"surface": [], "element set": [], "node set": []}
    for name, deck in model.surfaces.items():
        own = (deck.elements == element) & (deck.faces == face)
        if own.any() or (len(deck.nodes) and holds_all(deck.nodes)):
            found["surface"].append((max(len(deck.elements), len(deck.nodes)), name))
    for name, rows in model.element_sets.items():
        if (rows == element).any():
            found["element set"].append((len(rows), name))
    for name, rows in model.node_sets.items():
        if len(rows) >= len(nodes) and holds_all(rows):
            found["node set"].append((len(rows), name))
    return {kind: [name for _, name in sorted(each)] for kind, each in found.items()}


def _is_shell(model: FeModel, element: int) -> bool:
    last = np.cumsum([len(block.ids) for block in model.blocks])
    return element_kinds[model.blocks[int(np.searchsorted(last, element, side="right"))].element].is_shell
