"""Sets and contact surfaces of a Nastran deck."""

import numpy as np

from faying.errors import ReadError
from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import DeckSurface, ElementBlock, element_numbers
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_elements import ELEMENT_CARDS
from faying.fem.readers._nastran_fields import integer, integers, numbers
from faying.fem.readers._nastran_frames import GridPoints
from faying.fem.readers._nastran_properties import Properties
from faying.fem.readers._number_index import NumberIndex

Sets = dict[str, np.ndarray]


def read_sets(
    deck: NastranDeck,
    grid: GridPoints,
    blocks: tuple[ElementBlock, ...],
    properties: Properties,
    remarks: list[tuple[BulkCard, str]],
) -> tuple[Sets, Sets]:
    """Return node sets and element sets; unsupported input is added to `remarks`.

    A SET of the case control and a SET1 do not name their type: their numbers form a node set of the existing grid
    points, and an element set of the existing elements.

    Raises:
        ReadError: for invalid lists.
    """
    ids = element_numbers(blocks)
    table = NumberIndex.of(ids, 0)
    node_sets: Sets = {}
    element_sets = _sets_of_properties(deck, properties, table)
    listed = []
    for place, number, text in deck.sets:
        if text.upper() in ("ALL", "NONE"):
            continue
        try:
            members = numbers(text.replace(",", " ").split(), place)
        except ReadError:  # sets of frequencies, times or components of points
            of_others = BulkCard("SET", [str(number)], place.path, place.line)
            remarks.append((of_others, "it lists more than whole numbers, so it is no set of the mesh"))
            continue
        listed.append((f"SET {number}", members, "GRID ELEM"))
    for card in deck.having("SET1"):
        listed.append((f"SET {card.text(0)}", numbers(card.fields[1:], card.place), "GRID ELEM"))
    for card in deck.having("SET3"):
        what = card.text(1).upper()
        if what not in ("GRID", "ELEM"):
            remarks.append((card, f"a set of {what}"))
            continue
        listed.append((f"SET {card.text(0)}", numbers(card.fields[2:], card.place), what))
    for name, members, what in listed:
        for word, known, target in (("GRID", grid.table, node_sets), ("ELEM", table, element_sets)):
            rows = members.find(known) if word in what else np.zeros(0, np.int64)
            if len(rows):
                target[name] = np.unique(rows)
    return node_sets, element_sets


def _sets_of_properties(deck: NastranDeck, properties: Properties, table: NumberIndex) -> Sets:
    members: dict[str, list[BulkCard]] = {}
    for card in deck.having(*ELEMENT_CARDS):
        members.setdefault(card.text(1) or card.text(0), []).append(card)
    found = {}
    for own in members.values():
        positions = table.find(integers(own, range(1), "an element's number")[:, 0])
        if (positions >= 0).any():  # elements may have been left out
            number = integer(own[0], 1 if own[0].text(1) else 0, "a property's number")
            found[properties.name_of(number)] = np.sort(positions[positions >= 0])
    return found


def read_surfaces(
    deck: NastranDeck, grid: GridPoints, blocks: tuple[ElementBlock, ...]
) -> dict[str, DeckSurface]:
    """Return the contact surfaces of BSURFS cards: faces of solids, given by element and three corners.

    Raises:
        ReadError: for an element that is missing or has no face with these corners.
    """
    found: dict[str, tuple[list[int], list[int]]] = {}
    ids = element_numbers(blocks)
    table, starts = NumberIndex.of(ids, 0), np.cumsum([0, *(len(block.ids) for block in blocks)])
    for card in deck.having("BSURFS"):
        elements, faces = found.setdefault(f"BSURFS {card.text(0)}", ([], []))
        for first in range(4, len(card.fields), 4):
            if not card.text(first):
                continue
            number = integer(card, first, "an element's number")
            position = int(table.find(np.array([number]))[0])
            corners = {grid.row(card, first + i) for i in (1, 2, 3)}
            face = -1
            if position >= 0:
                at = int(np.searchsorted(starts, position, side="right")) - 1
                face = _face(blocks[at], position - int(starts[at]), corners)
            if face < 0:
                raise card.place.error(
                    f"element {number} is not there or has no face with the grid points "
                    f"{', '.join(card.text(first + i) for i in (1, 2, 3))}.",
                    "Mend this line.",
                )
            elements.append(position)
            faces.append(face)
    none = np.zeros(0, np.int64)
    return {
        name: DeckSurface(name, np.array(elements, np.int64), np.array(faces, np.int64), none)
        for name, (elements, faces) in found.items()
    }


def _face(block: ElementBlock, row: int, corners: set[int]) -> int:
    kind = element_kinds[block.element]
    for face, (positions, facet) in enumerate(zip(kind.faces, kind.facets, strict=True)):
        own = block.connectivity[row, list(positions[: facet_kind(facet).n_corners])]
        if corners <= set(own.tolist()):
            return face
    return -1
