"""Solid elements, shells, bars and beams of a Nastran deck as element blocks."""

from collections.abc import Iterator

import numpy as np

from faying.fem.element_edges import edges_of_midsides
from faying.fem.elements import element_kinds
from faying.fem.model import ElementBlock, element_numbers
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_directions import shell_directions, solid_directions
from faying.fem.readers._nastran_fields import integer, integers, real
from faying.fem.readers._nastran_frames import GridPoints
from faying.fem.readers._nastran_midsides import MidsideNodes
from faying.fem.readers._nastran_properties import Placed, Properties, ShellPlace
from faying.fem.readers._number_index import NumberIndex
from faying.fem.whole_numbers import is_whole_number

# By card: number of corners, kinds without and with midside nodes, and Nastran's position of each of our nodes.
# Nastran's linear brick is as flexible in bending as the element with incompatible modes.
_SOLIDS: dict[str, tuple[int, str, str, list[int]]] = {
    "CTETRA": (4, "tet4", "tet10", list(range(10))),
    "CPYRAM": (5, "pyramid5", "pyramid13", list(range(13))),
    "CPENTA": (6, "wedge6", "wedge15", [*range(9), 12, 13, 14, 9, 10, 11]),
    "CHEXA": (8, "hex8_incompatible", "hex20", [*range(12), 16, 17, 18, 19, 12, 13, 14, 15]),
}
# By card: kind, nodes, and index of the offset among the fields after the nodes.
_SHELLS: dict[str, tuple[str, int, int]] = {
    "CTRIA3": ("shell3", 3, 1), "CTRIAR": ("shell3", 3, 1), "CQUAD4": ("shell4", 4, 1), "CQUADR": ("shell4", 4, 1),
    "CTRIA6": ("shell6", 6, 1), "CQUAD8": ("shell8", 8, 5),
}  # fmt: skip
_CORNERS = {kind: n for n, *kinds, _ in _SOLIDS.values() for kind in kinds} | {
    "shell3": 3, "shell6": 3, "shell4": 4, "shell8": 4, "beam2": 2,
}  # fmt: skip
ELEMENT_CARDS = (*_SOLIDS, *_SHELLS, "CBAR", "CBEAM")
_THICKNESSES = 10  # index of the first corner thickness on the cards of all shells
_SHARES = {"CQUAD8": 16, "CTRIA6": 13}  # flag field (else 9); 1: relative thicknesses
_Group = tuple[str, str, Placed | None]  # kind, property, direction or place of a shell


def read_blocks(
    deck: NastranDeck,
    grid: GridPoints,
    properties: Properties,
    midsides: MidsideNodes,
    remarks: list[tuple[BulkCard, str]],
) -> tuple[ElementBlock, ...]:
    """Return the elements, one block per kind and property (and direction for beams).

    In a deck without properties, solids have no material, and shells and bars are left out; both are reported in
    `remarks`. Missing midside nodes of elements are added to `midsides`.

    Raises:
        ReadError: for duplicate numbers, unknown properties or grid points, missing corners.
    """
    groups: dict[_Group, list[BulkCard]] = {}
    for card in deck.having(*_SOLIDS):
        groups.setdefault((_kind(card), card.text(1), None), []).append(card)
    uneven: dict[str, list[BulkCard]] = {}
    for card in deck.having(*_SHELLS):
        named, place = card.text(1) or card.text(0), _shell_place(card)
        if place is None:
            uneven.setdefault(named, []).append(card)
        groups.setdefault((_shell_kind(card), named, place or _shell_place(card, False)), []).append(card)
    for own in uneven.values():
        text = f"{len(own)} elements: thicknesses that differ at their corners; that of the property is taken"
        remarks.append((own[0], text))
    for card in _beams(deck):
        groups.setdefault(("beam2", card.text(1) or card.text(0), _direction(card, grid)), []).append(card)
    blocks, cards = [], []
    has_solids = any(placed is None for _, _, placed in groups)
    for (kind, _, placed), own in groups.items():
        user = own[0]
        number = integer(user, 1, "a property's number", integer(user, 0, "an element's number"))
        is_mere_mesh = has_solids and properties.is_missing(number)
        if is_mere_mesh and placed is not None:
            remarks.append(
                (user, f"{len(own)} elements: their property {number} is not there, so they are left out")
            )
            continue
        if is_mere_mesh:
            remarks.append(
                (user, f"{len(own)} elements: their property {number} is not there, so they have no material")
            )
        n_nodes = element_kinds[kind].n_nodes
        order = _SOLIDS[user.name][3] if user.name in _SOLIDS else list(range(n_nodes))
        ids = integers(own, range(1), "an element's number")[:, 0]
        table = integers(own, range(2, 2 + n_nodes), "a grid point's number", 0)[:, order[:n_nodes]]
        connectivity = grid.table.find(table.ravel()).reshape(table.shape)
        unknown = (connectivity < 0) & (table != 0)
        if unknown.any():
            at = int(np.flatnonzero(unknown.any(axis=1))[0])
            grid.rows(own[at], table[at][table[at] != 0])  # reports which one is missing
        corners = sorted(set(range(n_nodes)) - edges_of_midsides(element_kinds[kind]).keys())
        lacking = (connectivity[:, corners] < 0).any(axis=1)
        if lacking.any():
            card = own[int(np.argmax(lacking))]
            raise card.place.error(
                f"{card.name} {card.text(0)} has no grid point at a corner.", "Name all its corners."
            )
        connectivity = midsides.filled(kind, connectivity)
        section = None if placed is None else properties.section(user, number, placed)
        material = "" if is_mere_mesh else properties.material_of(user, number)
        directions = None
        if not is_mere_mesh and properties.is_directional(user, number):
            corners = grid.coordinates[connectivity[:, : _CORNERS[kind]]]
            directions = _directions(own, kind, grid, properties.card(user, number), corners)
        label = element_kinds[kind].labels[0]
        blocks.append(ElementBlock(kind, label, ids, connectivity, material, section, directions))
        cards += own
    _refuse_duplicates(blocks, cards)
    return tuple(blocks)


def _directions(
    cards: list[BulkCard], kind: str, grid: GridPoints, property_card: BulkCard, corners: np.ndarray
) -> np.ndarray | None:
    """Return (n, 3, 3) the material axes in each element; None for the basic system.

    Args:
        cards: of the elements.
        kind: of them.
        grid: with the coordinate systems.
        property_card: their common property.
        corners: (n, k, 3) coordinates.
    """
    member = element_kinds[kind]
    if not member.is_shell:
        return None if member.rotations else solid_directions(property_card, grid, corners)
    facet = "tri3" if corners.shape[1] == 3 else "quad4"
    found = np.zeros((len(cards), 3, 3))
    places = [2 + n_nodes + at - 1 for _, n_nodes, at in (_SHELLS[card.name] for card in cards)]
    for place in set(places):
        rows = [row for row, own in enumerate(places) if own == place]
        found[rows] = shell_directions([cards[row] for row in rows], place, grid, facet, corners[rows])
    return found


def _kind(card: BulkCard) -> str:
    n_corners, linear, quadratic, order = _SOLIDS[card.name]
    texts = card.fields[2 : 2 + len(order)]
    given = [text not in ("", "0") for text in texts]
    if len(given) < n_corners or not all(given[:n_corners]):
        raise card.place.error(
            f"{card.name} {card.text(0)} has {sum(given[:n_corners])} corners, expected {n_corners}.",
            "Midside nodes may be left out, corners may not.",
        )
    return quadratic if any(given[n_corners:]) else linear


def _shell_kind(card: BulkCard) -> str:
    kind, n_nodes, _ = _SHELLS[card.name]
    given = [text not in ("", "0") for text in (*card.fields[2 : 2 + n_nodes], *[""] * n_nodes)[:n_nodes]]
    n_corners = 3 if n_nodes in (3, 6) else 4
    if not any(given[n_corners:]) and all(given[:n_corners]):
        return f"shell{n_corners}"
    if not all(given[:n_corners]):
        raise card.place.error(
            f"{card.name} {card.text(0)} has {sum(given[:n_corners])} corners, expected {n_corners}.",
            "Midside nodes may be left out, corners may not.",
        )
    return kind


def _beams(deck: NastranDeck) -> Iterator[BulkCard]:
    """Yield the bars and beams, with defaults of BAROR and BEAMOR for blank fields."""
    for name, preset_name in (("CBAR", "BAROR"), ("CBEAM", "BEAMOR")):
        preset = next(deck.having(preset_name), None)
        for card in deck.having(name):
            if preset is None:
                yield card
                continue
            fields = [*card.fields, *[""] * (8 - len(card.fields))]
            if not any(fields[4:7]):  # the vector, or the point that replaces it, as a whole
                fields[4:7] = [preset.text(i) for i in (4, 5, 6)]
            for at in (1, 7):
                fields[at] = fields[at] or preset.text(at)
            yield card._replace(fields=fields)


def _shell_place(card: BulkCard, own_thickness: bool = True) -> ShellPlace | None:
    """Return offset and thickness of a shell; None if its corner thicknesses differ."""
    _, n_nodes, at = _SHELLS[card.name]
    offset = real(card, 2 + n_nodes + at, "an offset")
    n_corners = 3 if n_nodes in (3, 6) else 4
    texts = card.fields[_THICKNESSES : _THICKNESSES + n_corners] if own_thickness else []
    if not any(texts):
        return ShellPlace(offset)
    own = {real(card, _THICKNESSES + i, "a thickness") for i in range(n_corners)}
    is_share = card.text(_SHARES.get(card.name, 9)) == "1"
    return ShellPlace(offset, own.pop(), is_share) if len(own) == 1 else None


def _direction(card: BulkCard, grid: GridPoints) -> tuple[float, float, float]:
    """Return the orientation vector, which spans plane 1 with the beam's axis: its first local axis."""
    if is_whole_number(card.text(4)) and not card.text(5):
        vector = grid.coordinates[grid.row(card, 4)] - grid.coordinates[grid.row(card, 2)]
    else:
        vector = np.array([real(card, i, "a direction") for i in (4, 5, 6)])
        first = grid.row(card, 2)
        system = grid.displacement_systems.get(int(grid.ids[first]), 0)
        # Components are in the first point's own directions, unless the card says B, for basic.
        if system and not card.text(7).upper().startswith("B"):
            vector = vector @ grid.frame(card, system).directions(grid.coordinates[[first]])[0]
    if not np.linalg.norm(vector) > 0.0:
        raise card.place.error(
            f"{card.name} {card.text(0)} has no orientation vector.",
            f"Give its components or a grid point, on the card or by {'BAROR' if card.name == 'CBAR' else 'BEAMOR'}.",
        )
    x, y, z = vector / np.linalg.norm(vector)
    return float(x), float(y), float(z)


def _refuse_duplicates(blocks: list[ElementBlock], cards: list[BulkCard]) -> None:
    ids = element_numbers(blocks)
    twice = NumberIndex.of(ids, 0).duplicate()
    if twice is not None:
        first, second = sorted((cards[i] for i in np.flatnonzero(ids == twice)[:2]), key=lambda c: c.line)
        raise second.place.error(
            f"element {twice} is there twice, first on line {first.line}.", "Renumber one of the two."
        )
