"""Coordinate systems of a Nastran deck (CORD1R, CORD2C, …), and grid points given in them."""

import numpy as np

from faying.fem.readers._coordinate_systems import BASIC, CoordinateSystem
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_fields import NumberList, integer, integers, real, reals
from faying.fem.readers._number_index import NumberIndex

_DEEPEST = 50  # levels of coordinate systems defined in each other


class GridPoints:
    """All GRID cards with their coordinates in the basic system.

    Attributes:
        ids: (n,) numbers.
        coordinates: (n, 3).
        table: map from numbers to rows.
        displacement_systems: displacement system (CD) by grid point number, if not the basic one.

    Raises:
        ReadError: for duplicate numbers, or unknown or cyclic coordinate systems.
    """

    def __init__(self, deck: NastranDeck) -> None:
        cards = deck.cards.get("GRID", [])
        preset = next(deck.having("GRDSET"), None)
        common = integer(preset, 1, "a coordinate system", 0) if preset else 0
        self.ids = integers(cards, range(1), "a grid point's number")[:, 0]
        self._systems = integers(cards, range(1, 2), "a coordinate system", common)[:, 0]
        self.displacement_systems = {
            integer(card, 0, "a grid point's number"): integer(
                card if card.text(5) else preset or card, 5, "a system"
            )
            for card in cards
            if (card.text(5) or (preset.text(5) if preset else "")) not in ("", "0", "-1")
        }
        self._own = reals(cards, range(2, 5), "a coordinate")
        self.table = NumberIndex.of(self.ids, 0)
        twice = self.table.duplicate()
        if twice is not None:
            first, second = (cards[i] for i in np.flatnonzero(self.ids == twice)[:2])
            raise second.place.error(
                f"grid point {twice} is there twice, first on line {first.line}.", "Renumber one of the two."
            )
        self._frames: dict[int, CoordinateSystem] = {0: BASIC}
        self._definitions = _definitions(deck)
        self.coordinates = np.full((len(cards), 3), np.nan)
        for system in np.unique(self._systems):
            user = cards[int(np.flatnonzero(self._systems == system)[0])]
            self._place(int(system), user, ())

    def _place(self, system: int, user: BulkCard, waiting: tuple[int, ...]) -> None:
        """Compute the coordinates of the points of a system; a CORD1 system needs those of its own points first."""
        rows = np.flatnonzero(self._systems == system)
        self.coordinates[rows] = self._frame(system, user, waiting).to_global(self._own[rows].reshape(-1, 3))

    def _frame(self, system: int, user: BulkCard, waiting: tuple[int, ...]) -> CoordinateSystem:
        if system in self._frames:
            return self._frames[system]
        if system not in self._definitions:
            raise user.place.error(
                f"the coordinate system {system} is not defined.", "Add its CORD2R card, or the file with it."
            )
        card, first = self._definitions[system]
        if len(waiting) > _DEEPEST:
            raise card.place.error(
                f"the coordinate system {system} hangs on {_DEEPEST} others.",
                "Define it in the basic system.",
            )
        if system in waiting:
            raise card.place.error(
                f"the coordinate system {system} is defined by itself.", "Define it in another system."
            )
        waiting = (*waiting, system)
        if card.name.startswith("CORD2"):
            reference = self._frame(integer(card, 1, "a coordinate system", 0), card, waiting)
            points = np.array(
                [[real(card, 2 + 3 * p + i, "a coordinate") for i in range(3)] for p in range(3)]
            )
            a, b, c = reference.to_global(points)
        else:
            a, b, c = (self._corner(card, first + i, waiting) for i in (1, 2, 3))
        z_axis = b - a
        y_axis = np.cross(z_axis, c - a)
        if not np.linalg.norm(y_axis) > 1e-12 * np.linalg.norm(z_axis) * np.linalg.norm(c - a):
            raise card.place.error(
                f"the three points of the coordinate system {system} lie on one line.", "Mend the points."
            )
        axes = np.stack([np.cross(y_axis, z_axis), y_axis, z_axis])
        frame = CoordinateSystem(card.name[5], a, axes / np.linalg.norm(axes, axis=1)[:, None])
        self._frames[system] = frame
        return frame

    def _corner(self, card: BulkCard, index: int, waiting: tuple[int, ...]) -> np.ndarray:
        row = self.row(card, index)
        if np.isnan(self.coordinates[row, 0]):
            self._place(int(self._systems[row]), card, waiting)
        return np.asarray(self.coordinates[row])

    def frame(self, card: BulkCard, system: int) -> CoordinateSystem:
        """Return the coordinate system named by a card.

        Raises:
            ReadError: when it is undefined, or defined by itself.
        """
        return self._frame(system, card, ())

    def row(self, card: BulkCard, index: int) -> int:
        """Return the row of the grid point named by a field.

        Raises:
            ReadError: when there is none.
        """
        return int(self.rows(card, np.array([integer(card, index, "a grid point's number")]))[0])

    def rows(self, card: BulkCard, numbers: np.ndarray) -> np.ndarray:
        """Return (m,) the rows of grid points named by a card.

        Raises:
            ReadError: when one does not exist.
        """
        rows = self.table.find(numbers)
        if (rows < 0).any():
            raise card.place.error(
                f"{card.name} {card.text(0)} uses grid point {numbers[rows < 0][0]}, which does not exist.",
                "Add the GRID card, or the file with it.",
            )
        return np.asarray(rows)

    def listed_rows(self, card: BulkCard, members: NumberList) -> np.ndarray:
        """Return (m,) the rows of grid points listed by a card.

        Raises:
            ReadError: when one does not exist.
        """
        missing = members.first_missing(self.table)
        return members.find(self.table) if missing is None else self.rows(card, np.array([missing]))


def _definitions(deck: NastranDeck) -> dict[int, tuple[BulkCard, int]]:
    """Return (card, index of the number's field) by system; a CORD1 card may define two."""
    found: dict[int, tuple[BulkCard, int]] = {}
    for kind in "RCS":
        for card in deck.having(f"CORD2{kind}"):
            found[integer(card, 0, "a coordinate system's number")] = card, 0
        for card in deck.having(f"CORD1{kind}"):
            for first in (0, 4):
                if card.text(first):
                    found[integer(card, first, "a coordinate system's number")] = card, first
    return found
