"""Look-up of node rows and element positions by number."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class NumberIndex:
    """Look-up table from the numbers of one scope to indices; `numbers` are ascending."""

    numbers: np.ndarray
    indices: np.ndarray

    @classmethod
    def of(cls, numbers: np.ndarray, first: int) -> "NumberIndex":
        """Return the table of numbers with consecutive indices from `first` on."""
        order = np.argsort(numbers, kind="stable")
        return cls(numbers[order], order + first)

    def find(self, numbers: np.ndarray) -> np.ndarray:
        """Return (n,) the index of each number, -1 if unknown."""
        if not len(self.numbers):
            return np.full(len(numbers), -1)
        at = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        return np.where(self.numbers[at] == numbers, self.indices[at], -1)

    def between(self, first: int, last: int, step: int = 1) -> np.ndarray:
        """Return (m,) the indices of the existing numbers among first, first + step, … last."""
        limit = int(self.numbers[-1]) if len(self.numbers) else 0
        start, stop = np.searchsorted(self.numbers, [min(first, limit + 1), min(last, limit) + 1])
        return np.asarray(self.indices[start:stop][(self.numbers[start:stop] - first) % step == 0])

    def duplicate(self) -> int | None:
        """Return a duplicate number, or None."""
        twice = np.flatnonzero(self.numbers[1:] == self.numbers[:-1])
        return int(self.numbers[twice[0]]) if len(twice) else None
