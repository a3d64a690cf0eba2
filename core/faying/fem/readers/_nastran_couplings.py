"""Rigid elements of a Nastran deck: RBE2, RBE1 and RBAR as kinematic, RBE3 as distributing couplings."""

from dataclasses import replace

import numpy as np

from faying.fem.model import Coupling
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_fields import components, numbers, real
from faying.fem.readers._nastran_frames import GridPoints
from faying.fem.readers._nastran_rigid import has_one_reference, rigid_terms

_ALL = (1, 2, 3, 4, 5, 6)


def read_couplings(
    deck: NastranDeck, grid: GridPoints, remarks: list[tuple[BulkCard, str]]
) -> tuple[Coupling, ...]:
    """Return all couplings; unsupported fields of cards are added to `remarks`.

    Components of RBE2 and RBAR are in their grid points' own directions (CD).

    Raises:
        ReadError: for missing grid points, or invalid components or weights.
    """
    turned = grid.displacement_systems
    found = []
    for card in deck.having("RBE2"):
        chosen = components(card, 2)
        nodes = grid.listed_rows(card, numbers((t for t in card.fields[3:] if not _is_real(t)), card.place))
        coupling = _kinematic(card, grid.row(card, 1), nodes, chosen)
        found.append(replace(coupling, directions=_own_directions(card, grid, coupling, turned)))
        _remark_expansion(card, next((i for i, t in enumerate(card.fields) if _is_real(t)), None), remarks)
    for card in deck.having("RBE1", "RBAR"):
        independent, dependent = rigid_terms(card, grid)
        if not has_one_reference(independent):  # equations
            continue
        reference, of_nodes = independent[0][0], dict[int, list[int]]()
        for row, component in dependent:
            if row != reference:
                of_nodes.setdefault(row, []).append(component)
        if not of_nodes:
            remarks.append((card, "none of its components depends on its independent point; left out"))
        for which in dict.fromkeys(tuple(sorted(own)) for own in of_nodes.values()):
            nodes = np.array([row for row, own in of_nodes.items() if tuple(sorted(own)) == which], np.int64)
            coupling = _kinematic(card, reference, nodes, which)
            found.append(replace(coupling, directions=_own_directions(card, grid, coupling, turned)))
        last = len(card.fields) - 1
        _remark_expansion(card, last if _is_real(card.fields[last]) else None, remarks)
    for card in deck.having("RBE3"):
        coupling = _distributing(card, grid, remarks)
        if coupling.components not in (_ALL, _ALL[:3]) and int(grid.ids[coupling.reference]) in turned:
            remarks.append(
                (card, "its reference point's own directions (CD); the components are taken as global")
            )
        found.append(coupling)
    return tuple(found)


def _remark_expansion(card: BulkCard, at: int | None, remarks: list[tuple[BulkCard, str]]) -> None:
    """Add a remark if a field contains a coefficient of expansion, which is not supported."""
    if at is not None and real(card, at, "a coefficient of expansion"):
        remarks.append((card, "its thermal expansion; it keeps its size"))


def _own_directions(
    card: BulkCard, grid: GridPoints, coupling: Coupling, turned: dict[int, int]
) -> np.ndarray | None:
    """Return (n, 3, 3) the directions of a coupling's nodes; None if they are irrelevant or all global."""
    partial = any(len({*coupling.components} & {*group}) in (1, 2) for group in (_ALL[:3], _ALL[3:]))
    systems = [turned.get(int(number), 0) for number in grid.ids[coupling.nodes]]
    if not partial or not any(systems):
        return None
    points = grid.coordinates[coupling.nodes]
    return np.concatenate(
        [grid.frame(card, system).directions(points[at : at + 1]) for at, system in enumerate(systems)]
    )


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
    others: dict[int, float] = {}  # weights for components other than displacements
    own, weight = weights, 0.0
    index = 4
    while index < len(card.fields):
        text = card.text(index).upper()
        if text == "ALPHA":
            break
        if text == "UM":
            _check_dependents(card, grid, index)
            break
        if _is_real(text):
            # A weight, its components, then grid points.
            weight = real(card, index, "a weight")
            own = weights if components(card, index + 1) == (1, 2, 3) else others
            index += 1
        elif text:
            row = int(grid.row(card, index))
            # A grid point in two groups contributes two terms to the least-squares problem of the RBE3.
            own[row] = weight + (own.get(row, 0.0) if own is weights else 0.0)
        index += 1
    reference = grid.row(card, 2)
    weights = others | weights
    weights.pop(reference, None)
    if not weights or min(weights.values()) <= 0.0:
        raise card.place.error(
            f"RBE3 {card.text(0)} has no grid points with a positive weight.", "Give it some."
        )
    expands = next((i for i, text in enumerate(card.fields) if text.upper() == "ALPHA"), None)
    _remark_expansion(card, None if expands is None else expands + 1, remarks)
    if others:
        remarks.append((card, "components other than 123 of its grid points; they are taken as 123"))
    nodes = np.array(sorted(weights), np.int64)
    values = np.array([weights[n] for n in nodes.tolist()])
    return Coupling(f"RBE3 {card.text(0)}", "distributing", reference, nodes, components(card, 3), values)


def _check_dependents(card: BulkCard, grid: GridPoints, at: int) -> None:
    """Check the pairs of grid point and components after UM, which Nastran eliminates.

    They only choose which components are eliminated; here the solver chooses, and the coupling is the same.

    Raises:
        ReadError: for missing grid points, invalid components, or a number of components that differs from that of
            equations.
    """
    count, index = 0, at + 1
    while index < len(card.fields) and card.text(index).upper() != "ALPHA":
        if card.text(index):
            grid.row(card, index)
            count += len(components(card, index + 1))
            index += 1
        index += 1
    if count != len(components(card, 3)):
        raise card.place.error(
            f"RBE3 {card.text(0)} names {count} components behind UM, expected {len(components(card, 3))}, "
            "as many as its reference point has.",
            "Mend the list.",
        )


def _is_real(text: str) -> bool:
    return "." in text
