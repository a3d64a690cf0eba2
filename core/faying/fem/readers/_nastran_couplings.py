"""Rigid elements of a Nastran deck: RBE2 and RBAR as kinematic, RBE3 as distributing couplings."""

import numpy as np

from faying.fem.model import Coupling
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_fields import components, numbers, real
from faying.fem.readers._nastran_frames import GridPoints

_ALL = (1, 2, 3, 4, 5, 6)


def read_couplings(
    deck: NastranDeck, grid: GridPoints, remarks: list[tuple[BulkCard, str]]
) -> tuple[Coupling, ...]:
    """Return all couplings; what is not taken over of a card is added to `remarks`.

    Raises:
        ReadError: for grid points that do not exist, components or weights that are none.
    """
    turned = {
        card.text(0)
        for card in deck.having("GRID")
        if len(card.fields) > 5 and card.fields[5] not in ("", "0", "-1")
    }
    found = []
    for card in deck.having("RBE2"):
        chosen = components(card, 2)
        nodes = grid.rows(card, numbers((t for t in card.fields[3:] if not _is_real(t)), card.place))
        found.append(_kinematic(card, grid.row(card, 1), nodes, chosen))
        if len(chosen) not in (3, 6) and turned & set(map(str, grid.ids[nodes].tolist())):
            remarks.append((card, "its grid points' own directions (CD); the components are taken as global"))
    for card in deck.having("RBAR"):
        if card.text(3) not in ("", "123456") or card.text(4) not in ("", "0"):
            remarks.append((card, "RBAR with other independent components than those of its first end"))
            continue
        found.append(_kinematic(card, grid.row(card, 1), np.array([grid.row(card, 2)]), _ALL))
    for card in deck.having("RBE3"):
        found.append(_distributing(card, grid, remarks))
    return tuple(found)


def _kinematic(card: BulkCard, reference: int, nodes: np.ndarray, chosen: tuple[int, ...]) -> Coupling:
    nodes = np.unique(nodes[nodes != reference])
    if not len(nodes):
        raise card.place.error(
            f"{card.name} {card.text(0)} couples its grid point to nothing.", "Name others."
        )
    name = f"{card.name} {card.text(0)}"
    return Coupling(name, "kinematic", reference, nodes, chosen, np.ones(len(nodes)))


def _distributing(card: BulkCard, grid: GridPoints, remarks: list[tuple[BulkCard, str]]) -> Coupling:
    weights: dict[int, float] = {}
    weight, rotations = 0.0, False
    index = 4
    while index < len(card.fields):
        text = card.text(index)
        if text.upper() in ("UM", "ALPHA"):
            remarks.append((card, f"{text.upper()} and what follows it"))
            break
        if _is_real(text):
            # A weight, the components that it is for, then grid points.
            weight = real(card, index, "a weight")
            rotations = rotations or components(card, index + 1) != (1, 2, 3)
            index += 1
        elif text:
            weights[int(grid.row(card, index))] = weight
        index += 1
    reference = grid.row(card, 2)
    weights.pop(reference, None)
    if not weights or min(weights.values()) <= 0.0:
        raise card.place.error(
            f"RBE3 {card.text(0)} has no grid points with a positive weight.", "Give it some."
        )
    if rotations:
        remarks.append((card, "components other than 123 of its grid points; they are taken as 123"))
    # Only rotations of the reference point can be free.
    chosen = tuple(sorted({1, 2, 3, *components(card, 3)}))
    if set(chosen) != set(components(card, 3)):
        remarks.append((card, "its free translations; they are coupled"))
    nodes = np.array(sorted(weights), np.int64)
    return Coupling(
        f"RBE3 {card.text(0)}",
        "distributing",
        reference,
        nodes,
        chosen,
        np.array([weights[n] for n in nodes]),
    )


def _is_real(text: str) -> bool:
    return "." in text
