"""Compliances of contact pairs: columns of W = G P Gᵀ, made when they are asked for and kept.

P is the solution with the factor of a reference. Another reference, in which tangents of pairs differ by Δ, needs no
new factor: as (I − W Δ) u = u₀ + W r, its slips and gaps without forces, and under unit forces, are

    v + W_A M v_A,    M = (I − Δ_A W_AA)⁻¹ Δ_A,

of those v of the old one (Sherman, Morrison, Woodbury), where A are the components with entries of Δ.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from faying.compiled import compiled
from faying.linalg.room import require_room
from faying.progress import Progress

_BLOCK = 48  # right-hand sides of one solution, each of which then costs a sixth of a single one
_ROWS = 256  # columns that take a change of the reference at a time
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
        answers: returns (n, k) slips and gaps under unit forces on components (k,), with the factor.

    Attributes:
        count: number of columns that were made.
    """

    def __init__(self, n: int, answers: Callable[[np.ndarray], np.ndarray]) -> None:
        self._n, self._answers = n, answers
        self._of_factor = self._columns = np.empty((0, n))  # each one contiguous; the same without a change
        self._places = np.full(n, -1)
        self._change: _Change | None = None
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
            self._make_room(min(self._n, int(_GROWTH * count)))
        for first in range(0, len(new), _BLOCK):
            part = new[first : first + _BLOCK]
            progress.report(0.0, f"compliances of {len(new)} more components of pairs")
            made = slice(self.count, self.count + len(part))
            self._of_factor[made] = self._answers(part).T
            self._places[part] = np.arange(made.start, made.stop)
            self.count += len(part)
            if self._change is not None:
                self._columns[made] = self._change.applied(self._of_factor[made])

    @property
    def kept(self) -> np.ndarray:
        """(n,) which components have columns."""
        return self._places >= 0

    def refer_to(self, components: np.ndarray, tangents: np.ndarray) -> None:
        """Give the reference tangents that differ by Δ (a, a) from the factor's, at kept components (a,)."""
        of_factor = self._of_factor[self._places[components]]
        whole = np.eye(len(components)) - tangents @ of_factor[:, components].T
        self._change = _Change(components, of_factor, np.linalg.solve(whole, tangents))
        if self._columns is self._of_factor:
            self._columns = np.empty_like(self._of_factor)
        for first in range(0, self.count, _ROWS):
            part = slice(first, min(first + _ROWS, self.count))
            self._columns[part] = self._change.applied(self._of_factor[part])

    def referred(self, moved: np.ndarray) -> np.ndarray:
        """Return slips and gaps (k, n) under given forces with the reference, of those with the factor."""
        return moved if self._change is None else self._change.applied(moved)

    def among(self, components: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return (c, r): of each kept component (c,) the slips and gaps of rows (r,)."""
        return np.asarray(self._columns[np.ix_(self._places[components], rows)])

    def moved(self, components: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """Return (n,) slips and gaps of all pairs under forces (c,) on kept components (c,)."""
        found = np.zeros(self._n)
        add_columns(self._columns, self._places[components], forces, found)
        return found

    def _make_room(self, count: int) -> None:
        copies = 1 if self._change is None else 2
        require_room(
            8.0 * self._n * count * copies,
            f"The compliances of {count} components of contact pairs need", "Correct fewer frames at once.",
        )  # fmt: skip
        wider = [np.empty((count, self._n)) for _ in range(copies)]
        for old, new in zip((self._of_factor, self._columns), wider, strict=False):
            new[: self.count] = old[: self.count]
        self._of_factor, self._columns = wider[0], wider[-1]


@dataclass(frozen=True, eq=False)
class _Change:
    """A change of the reference: components A (a,), W_A (a, n), one column after the other, and M (a, a)."""

    components: np.ndarray
    columns: np.ndarray
    matrix: np.ndarray

    def applied(self, moved: np.ndarray) -> np.ndarray:
        """Return slips and gaps (k, n) with the new reference, of those with the old one."""
        return np.asarray(moved + (moved[:, self.components] @ self.matrix.T) @ self.columns)
