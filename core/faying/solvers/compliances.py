"""Compliances of contact pairs: columns of W = G P Gᵀ, made when they are asked for and kept."""

from collections.abc import Callable

import numpy as np

from faying.compiled import compiled
from faying.linalg.room import require_room
from faying.progress import Progress

_BLOCK = 48  # right-hand sides of one solution, each of which then costs a sixth of a single one
_GROWTH = 1.5  # of the room for columns, once it is full


def _added_by_product(columns: np.ndarray, places: np.ndarray, sizes: np.ndarray, out: np.ndarray) -> None:
    out += sizes @ columns[places]


@compiled(plain=_added_by_product)
def add_columns(columns: np.ndarray, places: np.ndarray, sizes: np.ndarray, out: np.ndarray) -> None:
    """Add columns, each times its size, without a copy of those that are chosen.

    Args:
        columns: (k, n), one after the other.
        places: (c,) of the chosen ones.
        sizes: (c,).
        out: (n,), changed.
    """
    for i in range(len(places)):
        size, at = sizes[i], places[i]
        for j in range(len(out)):
            out[j] += size * columns[at, j]


class Compliances:
    """Slips and gaps of all pairs under unit forces on those components of pairs that were asked for.

    Args:
        n: number of components of all pairs.
        answers: returns (n, k) slips and gaps under unit forces on components (k,).

    Attributes:
        count: number of columns that were made.
    """

    def __init__(self, n: int, answers: Callable[[np.ndarray], np.ndarray]) -> None:
        self._n, self._answers = n, answers
        self._columns = np.empty((0, n))  # each one contiguous
        self._places = np.full(n, -1)
        self.count = 0

    def keep(self, components: np.ndarray, progress: Progress) -> None:
        """Make the columns of those components that have none yet, in blocks of solutions.

        Raises:
            MemoryNeedError: when they do not fit into memory.
        """
        new = components[self._places[components] < 0]
        if not len(new):
            return
        count = self.count + len(new)
        if count > len(self._columns):
            room = min(self._n, int(_GROWTH * count))
            require_room(
                8.0 * self._n * room,
                f"The compliances of {count} components of contact pairs need", "Correct fewer frames at once.",
            )  # fmt: skip
            columns = np.empty((room, self._n))
            columns[: self.count] = self._columns[: self.count]
            self._columns = columns
        for first in range(0, len(new), _BLOCK):
            part = new[first : first + _BLOCK]
            progress.report(0.0, f"compliances of {len(new)} more components of pairs")
            self._columns[self.count : self.count + len(part)] = self._answers(part).T
            self._places[part] = self.count + np.arange(len(part))
            self.count += len(part)

    def among(self, components: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return (c, r): of each kept component (c,) the slips and gaps of rows (r,)."""
        return np.asarray(self._columns[np.ix_(self._places[components], rows)])

    def moved(self, components: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """Return (n,) slips and gaps of all pairs under forces (c,) on kept components (c,)."""
        found = np.zeros(self._n)
        add_columns(self._columns, self._places[components], forces, found)
        return found
