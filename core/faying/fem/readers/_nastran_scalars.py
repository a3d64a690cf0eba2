"""Scalar points (SPOINT) of a Nastran deck and masses of single components (CMASS1 to CMASS4).

A scalar point is a single dof without a position. If springs, dampers or masses connect it, possibly through others, to
one displacement of a grid point, it becomes a node at that grid point: it moves independently in that direction and
with the grid point in the others, so that it takes part in rigid motions of the body.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from faying.fem.model import LinearEquations, PointMass
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_fields import integer, numbers, real
from faying.fem.readers._nastran_frames import GridPoints
from faying.fem.readers._nastran_masses import mass_factor

JOINING = ("CELAS1", "CELAS2", "CELAS3", "CELAS4", "CDAMP1", "CDAMP2", "CDAMP3", "CDAMP4")
MASSES = ("CMASS1", "CMASS2", "CMASS3", "CMASS4")


@dataclass(frozen=True)
class ScalarPoint:
    """A scalar point connected to a displacement of a grid point.

    Attributes:
        number: number in the deck.
        node: row of its node.
        grid: row of the grid point.
        component: 1 to 3.
    """

    number: int
    node: int
    grid: int
    component: int

    @property
    def equations(self) -> LinearEquations:
        """The two equations by which it follows the grid point."""
        others = [component for component in (1, 2, 3) if component != self.component]
        return LinearEquations(
            f"SPOINT {self.number}", np.array([0, 2, 4]), np.array([self.node, self.grid] * 2),
            np.repeat(others, 2), np.array([1.0, -1.0] * 2),
        )  # fmt: skip


def ends(card: BulkCard) -> list[tuple[str, str]]:
    """Return number and component, as written, of both ends of a scalar element; "" for ground."""
    places = ((2, 3), (4, 5)) if card.name[-1] in "12" else ((2, None), (3, None))
    found = [(card.text(point), card.text(of) if of is not None else "0") for point, of in places]
    return [("", "") if point == "0" else (point, of) for point, of in found]


class ScalarPoints:
    """The scalar points of a deck, by number as written.

    Args:
        deck: the deck.
        grid: its grid points.
        n_nodes: number of nodes before those of scalar points.

    Attributes:
        held: numbers of those fixed by the deck, which act as ground.
        known: those connected to a grid point.
    """

    def __init__(self, deck: NastranDeck, grid: GridPoints, n_nodes: int) -> None:
        self._all = {
            str(number)
            for card in deck.having("SPOINT")
            for first, last in numbers([text for text in card.fields if text], card.place).runs
            for number in range(first, last + 1)
        }
        self.held = set(self._held(deck))
        self.known: dict[str, ScalarPoint] = {}
        cards = [
            card for card in deck.having(*JOINING, *MASSES) if self._all & {end for end, _ in ends(card)}
        ]
        count = -1
        while len(self.known) > count:  # each pass reaches the neighbours of the previous one
            count = len(self.known)
            for card in cards:
                for (number, _), (other, component) in (ends(card), ends(card)[::-1]):
                    if number in self._all and number not in self.known and number not in self.held:
                        self._hang(card, grid, n_nodes, number, other, component)

    def is_scalar(self, number: str) -> bool:
        """Return whether a number belongs to a scalar point."""
        return number in self._all

    def _hang(
        self, card: BulkCard, grid: GridPoints, n_nodes: int, number: str, other: str, component: str
    ) -> None:
        node = n_nodes + len(self.known)
        if other in self.known:
            at = self.known[other]
            self.known[number] = ScalarPoint(int(number), node, at.grid, at.component)
        elif other and other not in self._all and component in ("1", "2", "3"):
            row = int(grid.rows(card, np.array([int(other)]))[0])
            if not grid.displacement_systems.get(int(grid.ids[row]), 0):
                self.known[number] = ScalarPoint(int(number), node, row, int(component))

    def _held(self, deck: NastranDeck) -> Iterator[str]:
        for card in deck.having("SPC1"):
            if card.text(1) in ("0", "", "1"):
                for first, last in numbers([text for text in card.fields[2:] if text], card.place).runs:
                    yield from (n for n in self._all if first <= int(n) <= last)
        for card in deck.having("SPC"):
            yield from (card.text(i) for i in (1, 4) if card.text(i) in self._all)


def scalar_masses(
    deck: NastranDeck, grid: GridPoints, scalars: ScalarPoints, remarks: list[tuple[BulkCard, str]]
) -> tuple[PointMass, ...]:
    """Return the masses of CMASS cards: of scalar points, and of grid points if equal in all directions.

    Args:
        deck, grid: the deck and its grid points.
        scalars: its scalar points.
        remarks: list to which unsupported input is added.

    Raises:
        ReadError: for missing properties or grid points, or text instead of a number.
    """
    properties = {
        card.text(at): (card, at + 1)
        for card in deck.having("PMASS")
        for at in range(0, 8, 2)
        if card.text(at)
    }
    factor, found = mass_factor(deck), list[PointMass]()
    at_grid: dict[int, tuple[BulkCard, np.ndarray]] = {}
    for card in deck.having(*MASSES):
        name = f"{card.name} {card.text(0)}"
        if card.name[-1] in "24":
            mass = factor * real(card, 1, "a mass")
        else:
            number = card.text(1) or card.text(0)
            if number not in properties:
                raise card.place.error(
                    f"{name} has the property {number}, which is not there.", "Add its PMASS."
                )
            given, at = properties[number]
            mass = factor * real(given, at, "a mass")
        of = [end for end in ends(card) if end[0] and end[0] not in scalars.held]
        if len(of) != 1:
            remarks.append((card, "a mass between two points; left out" if of else "a mass of what is held"))
        elif of[0][0] in scalars.known:
            point = scalars.known[of[0][0]]
            found.append(PointMass(name, point.node, mass, np.zeros((3, 3)), np.zeros(3)))
            remarks.append(
                (card, f"its mass counts in all directions, as part of grid point {grid.ids[point.grid]}")
            )
        elif scalars.is_scalar(of[0][0]):
            remarks.append((card, "its scalar point hangs on no displacement of a grid point; left out"))
        else:
            row = int(grid.rows(card, np.array([int(of[0][0])]))[0])
            component = integer(card, 3 if ends(card)[0] == of[0] else 5, "a component 1 to 6")
            if not 1 <= component <= 6:
                raise card.place.error(
                    f"found the component {component}, expected 1 to 6.", "Mend this line."
                )
            at_grid.setdefault(row, (card, np.zeros(6)))[1][component - 1] += mass
    for row, (card, sizes) in at_grid.items():
        turned = grid.displacement_systems.get(int(grid.ids[row]), 0)
        if np.ptp(sizes[:3]) > 1e-9 * np.abs(sizes[:3]).max(initial=0.0) or turned:
            remarks.append((card, "a mass in some directions of its grid point alone; left out"))
        else:
            found.append(
                PointMass(f"{card.name} {card.text(0)}", row, sizes[0], np.diag(sizes[3:]), np.zeros(3))
            )
    return tuple(found)
