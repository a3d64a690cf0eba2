"""Sparse matrices as sums of blocks: each part has one of its own, each constraint and force one of its parts.

Where the entries are depends on the system alone. They are sorted once; afterwards a matrix is one sum over numbers.
"""

from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp


class MatrixBlock(NamedTuple):
    """Numbers that are added to a matrix: where, and how much; three arrays of one shape.

    Those in a row or column −1 are left out.
    """

    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray

    def add_to(self, matrix: np.ndarray) -> None:
        """Add them to a full matrix."""
        kept = (self.rows >= 0) & (self.columns >= 0)
        np.add.at(matrix, (self.rows[kept], self.columns[kept]), self.values[kept])


def square(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and columns (…, c, c) of blocks over the coordinates (…, c)."""
    shape = (*columns.shape, columns.shape[-1])
    return np.broadcast_to(columns[..., :, None], shape), np.broadcast_to(columns[..., None, :], shape)


class SparsePattern:
    """Where the entries of a sum of blocks are.

    Args:
        blocks: like all others that will be summed.
        kept: (k,) whether the rows of blocks, and the columns, are among those of the matrix.
    """

    def __init__(self, blocks: Sequence[MatrixBlock], kept: np.ndarray) -> None:
        size = int(kept.sum())
        numbers = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)  # the last one is that of −1
        rows = numbers[np.concatenate([block.rows.ravel() for block in blocks])]
        columns = numbers[np.concatenate([block.columns.ravel() for block in blocks])]
        kept = (rows >= 0) & (columns >= 0)
        entries, found = np.unique((columns * size + rows)[kept], return_inverse=True)
        self._count = len(entries)
        self._where = np.full(len(rows), self._count, dtype=np.int64)
        self._where[kept] = found.ravel()
        ends = np.searchsorted(entries, size * np.arange(size + 1)).astype(np.int32)
        inside = np.zeros(self._count), (entries % size).astype(np.int32), ends
        self._empty = sp.csc_matrix(inside, shape=(size, size))

    def sum(self, blocks: Sequence[MatrixBlock]) -> sp.csc_matrix:
        """Return the sum of blocks."""
        values = np.concatenate([block.values.ravel() for block in blocks])
        matrix = copy(self._empty)  # without SciPy's checks, which take longer than the sum
        summed = np.bincount(self._where, values, self._count + 1)[: self._count]
        matrix.data = summed.astype(float, copy=False)
        return matrix
