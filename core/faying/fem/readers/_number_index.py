"""Finds the row of a node number or the position of an element number."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class NumberIndex:
    """Finds the index of each number of one scope; `numbers` ascend, `indices` belong to them."""

    numbers: np.ndarray
    indices: np.ndarray

    @classmethod
    def of(cls, numbers: np.ndarray, first: int) -> "NumberIndex":
        """Return the table of numbers whose indices run from `first`."""
        order = np.argsort(numbers, kind="stable")
        return cls(numbers[order], order + first)

    def find(self, numbers: np.ndarray) -> np.ndarray:
        """Return (n,) the index of each number, -1 where there is none."""
        if not len(self.numbers):
            return np.full(len(numbers), -1)
        at = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        return np.where(self.numbers[at] == numbers, self.indices[at], -1)

    def between(self, first: int, last: int, step: int = 1) -> np.ndarray:
        """Return (m,) the indices of those numbers first, first + step, … last that exist, however many are missing."""
        limit = int(self.numbers[-1]) if len(self.numbers) else 0
        start, stop = np.searchsorted(self.numbers, [min(first, limit + 1), min(last, limit) + 1])
        return np.asarray(self.indices[start:stop][(self.numbers[start:stop] - first) % step == 0])

    def duplicate(self) -> int | None:
        """Return a number that is there twice, or None."""
        twice = np.flatnonzero(self.numbers[1:] == self.numbers[:-1])
        return int(self.numbers[twice[0]]) if len(twice) else None
