"""Rigid elements of a Nastran deck as linear equations: RBE1 and RBAR with several independent points, RROD.

Six independent components determine a rigid motion, and the dependent components of RBE1 and RBAR follow it: u_d = R_d
R_i⁻¹ u_i, with rows R of the components in rigid motions. An RROD keeps its length. Components are in their grid
points' own directions (CD).
"""

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.model import ElementBlock, LinearEquations
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_fields import components, real
from faying.fem.readers._nastran_frames import GridPoints

RIGID_CARDS = ("RBE1", "RROD")
Term = tuple[int, int]  # row of a grid point, component
_Remarks = list[tuple[BulkCard, str]]


def read_rigid_elements(
    deck: NastranDeck, grid: GridPoints, blocks: tuple[ElementBlock, ...], remarks: _Remarks
) -> tuple[LinearEquations, ...]:
    """Return the equations of all these elements; unsupported fields are added to `remarks`.

    Raises:
        ReadError: for grid points that do not exist, or components that are none.
    """
    turning = [block.connectivity.ravel() for block in blocks if element_kinds[block.element].rotations]
    rotating = set(np.concatenate([np.zeros(0, np.int64), *turning]).tolist())
    found = []
    for card in deck.having("RBE1", "RBAR"):
        independent, dependent = rigid_terms(card, grid)
        if not has_one_reference(independent):  # else it is a coupling
            found.append(_rigid(card, grid, independent, dependent, rotating, remarks))
    found += [_rod(card, grid) for card in deck.having("RROD")]
    return tuple(each for each in found if len(each.starts) > 1)


def rigid_terms(card: BulkCard, grid: GridPoints) -> tuple[list[Term], list[Term]]:
    """Return the independent and the dependent components of an RBE1 or RBAR.

    Raises:
        ReadError: for grid points that do not exist, or components that are none.
    """
    if card.name == "RBE1":
        at = next((i for i, text in enumerate(card.fields) if text.upper() == "UM"), len(card.fields))
        return _terms(card, grid, range(1, at)), _terms(card, grid, range(at + 1, len(card.fields)))
    ends = [(int(grid.row(card, i)), 2 + i) for i in (1, 2)]
    independent = [(row, c) for row, field in ends if _named(card, field) for c in components(card, field)]
    independent = independent or [(ends[0][0], c) for c in range(1, 7)]
    named = [(row, c) for row, field in ends if _named(card, field + 2) for c in components(card, field + 2)]
    every = [(row, c) for row, _ in ends for c in range(1, 7)]
    return independent, named or [term for term in every if term not in independent]


def has_one_reference(independent: list[Term]) -> bool:
    """Return whether the motion of a rigid element is that of a single point."""
    return len({row for row, _ in independent}) == 1 and {c for _, c in independent} == set(range(1, 7))


def _named(card: BulkCard, field: int) -> bool:
    return card.text(field) not in ("", "0")


def _terms(card: BulkCard, grid: GridPoints, fields: range) -> list[Term]:
    """Return the components of pairs of grid point and components; a real number after them is an expansion."""
    filled = [
        i for i in fields if card.text(i) and card.text(i).upper() != "ALPHA" and "." not in card.text(i)
    ]
    return [
        (int(grid.row(card, point)), component)
        for point, named in zip(filled[::2], filled[1::2], strict=False)
        for component in components(card, named)
    ]


def _rigid(
    card: BulkCard,
    grid: GridPoints,
    independent: list[Term],
    dependent: list[Term],
    rotating: set[int],
    remarks: _Remarks,
) -> LinearEquations:
    """Return an equation for each dependent component, except rotations of points without rotations."""
    centre = grid.coordinates[[row for row, _ in independent]].mean(axis=0) if independent else np.zeros(3)
    fixing = np.array([_motion(grid, card, term, centre) for term in independent]).reshape(-1, 6)
    size = np.abs(fixing).max(axis=0) if len(fixing) else np.zeros(6)
    scaled = fixing / np.where(size > 0.0, size, 1.0)
    if len(independent) != 6 or not np.linalg.cond(scaled) < 1e10:
        text = f"its {len(independent)} independent components are not six that fix how a rigid body moves; left out"
        remarks.append((card, text))
        return _equations("", [])
    last = card.fields[-1] if card.fields else ""
    if "." in last and real(card, len(card.fields) - 1, "a coefficient of expansion"):
        remarks.append((card, "its thermal expansion; it keeps its size"))
    if any(component > 3 and row not in rotating for row, component in independent):
        remarks.append((card, "an independent rotation of a point that has none; left out"))
        dependent = []
    inverse = np.linalg.inv(fixing)
    equations = []
    for term in dependent:
        if term in independent or (term[1] > 3 and term[0] not in rotating):
            continue
        shares = _motion(grid, card, term, centre) @ inverse
        shares[np.abs(shares) < 1e-12 * np.abs(shares).max()] = 0.0
        equations.append(
            [(term, 1.0)] + [(own, -share) for own, share in zip(independent, shares, strict=True) if share]
        )
    return _equations(f"{card.name} {card.text(0)}", equations)


def _rod(card: BulkCard, grid: GridPoints) -> LinearEquations:
    """Return the equation of constant distance between two points, beginning with the named component."""
    rows = [int(grid.row(card, i)) for i in (1, 2)]
    along = grid.coordinates[rows[1]] - grid.coordinates[rows[0]]
    if not np.linalg.norm(along) > 0.0:
        raise card.place.error(f"{card.name} {card.text(0)} has no length.", "Move one of its ends.")
    along = along / np.linalg.norm(along)
    terms = [
        ((row, component), sign * float(_directions(grid, card, row)[component - 1] @ along))
        for row, sign in zip(rows, (-1.0, 1.0), strict=True)
        for component in (1, 2, 3)
    ]
    named = [
        (rows[end], c)
        for end, field in ((0, 3), (1, 4))
        if _named(card, field)
        for c in components(card, field)
    ]
    if len(named) != 1:
        raise card.place.error(
            f"{card.name} {card.text(0)} names {len(named)} dependent components, expected one (CMA or CMB).",
            "Mend this card.",
        )
    first = [term for term in terms if term[0] == named[0]]
    if not first or abs(first[0][1]) < 1e-6:
        raise card.place.error(
            f"{card.name} {card.text(0)}: its dependent component is at right angles to it.", "Name another."
        )
    others = [term for term in terms if term[0] != named[0] and abs(term[1]) > 1e-12]
    return _equations(f"{card.name} {card.text(0)}", [[*first, *others]])


def _motion(grid: GridPoints, card: BulkCard, term: Term, centre: np.ndarray) -> np.ndarray:
    """Return (6,) a component of a point for three translations and three rotations of a rigid body about a centre."""
    row, component = term
    direction = _directions(grid, card, row)[(component - 1) % 3]
    if component > 3:
        return np.concatenate([np.zeros(3), direction])
    return np.concatenate([direction, np.cross(grid.coordinates[row] - centre, direction)])


def _directions(grid: GridPoints, card: BulkCard, row: int) -> np.ndarray:
    """Return (3, 3) the directions of a point's components, as rows."""
    system = grid.displacement_systems.get(int(grid.ids[row]), 0)
    return np.eye(3) if not system else grid.frame(card, system).directions(grid.coordinates[[row]])[0]


def _equations(name: str, terms: list[list[tuple[Term, float]]]) -> LinearEquations:
    flat = [term for each in terms for term in each]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in terms])]).astype(np.int64)
    rows, components_ = (np.array([term[0][i] for term in flat], np.int64) for i in (0, 1))
    return LinearEquations(name, starts, rows, components_, np.array([factor for _, factor in flat]))
