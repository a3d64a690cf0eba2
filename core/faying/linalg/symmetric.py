"""Principal submatrices of a symmetric sparse matrix, without a copy: a body's stiffness is stored once.

Solvers for definite matrices take only the upper triangle, half of the entries, which is extracted directly from the
whole matrix. The joints' contributions to a stiffness are stored separately until then.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.linalg.room import require_countable

_ENTRIES = 4_000_000  # of the whole matrix that are processed together


def is_sparse(matrix: Any) -> bool:
    """Return whether a matrix is sparse, or a part of a sparse one."""
    return isinstance(matrix, SymmetricPart) or bool(sp.issparse(matrix))


@dataclass(frozen=True, eq=False)
class UpperTriangle:
    """Entries of a symmetric matrix on and above its diagonal, row by row with ascending columns.

    Attributes:
        data: (k,) entries.
        indptr: (n + 1,) start of each row, 32-bit.
        indices: (k,) columns, 32-bit.
    """

    data: np.ndarray
    indptr: np.ndarray
    indices: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        """(n, n)."""
        return len(self.indptr) - 1, len(self.indptr) - 1

    def scale(self, factors: np.ndarray) -> None:
        """Replace A by S A S in place, with the diagonal S of factors (n,)."""
        scale_rows_and_columns(self.data, self.indptr, self.indices, factors)


@dataclass(frozen=True, eq=False)
class SymmetricPart:
    """The matrix A[kept, kept] + added, without a copy of A.

    Attributes:
        matrix: A, CSR, symmetric, both triangles stored.
        kept: (n,) rows and columns of A that belong to the part, ascending.
        added: CSR (n, n), symmetric; None for nothing.
    """

    matrix: sp.csr_matrix
    kept: np.ndarray
    added: sp.csr_matrix | None = None

    @classmethod
    def whole(cls, matrix: Any) -> "SymmetricPart":
        """Return a sparse matrix as a part with all rows; a `SymmetricPart` is returned unchanged."""
        if isinstance(matrix, SymmetricPart):
            return matrix
        return cls(matrix.tocsr(), np.arange(matrix.shape[0]))

    @property
    def shape(self) -> tuple[int, int]:
        """(n, n)."""
        return len(self.kept), len(self.kept)

    def __matmul__(self, x: np.ndarray) -> np.ndarray:
        """Return the product with x (n, …)."""
        n = self.matrix.shape[0]
        if len(self.kept) == n:
            found = self.matrix @ x
        else:
            spread = np.zeros((n, *x.shape[1:]))
            spread[self.kept] = x
            found = (self.matrix @ spread)[self.kept]
        return np.asarray(found if self.added is None else found + self.added @ x)

    def __add__(self, other: Any) -> "SymmetricPart":
        """Return the sum with a sparse symmetric matrix (n, n)."""
        return replace(self, added=sp.csr_matrix(other if self.added is None else self.added + other))

    def __sub__(self, other: Any) -> "SymmetricPart":
        """Return the difference from a sparse symmetric matrix (n, n)."""
        return self.__add__(-other)

    def within(self, some: np.ndarray) -> "SymmetricPart":
        """Return the submatrix of some rows and columns, given by ascending positions in this part."""
        added = None if self.added is None else self.added[some][:, some]
        return SymmetricPart(self.matrix, self.kept[some], added)

    def diagonal(self) -> np.ndarray:
        """Return the diagonal (n,)."""
        found = self.matrix.diagonal()[self.kept]
        return np.asarray(found if self.added is None else found + self.added.diagonal())

    def largest_sum(self, scale: np.ndarray) -> float:
        """Return the largest sum of |S A S| over a row, with the diagonal S of scale (n,)."""
        weights, matrix = np.zeros(self.matrix.shape[0]), self.matrix
        weights[self.kept] = scale
        sums = np.zeros(self.matrix.shape[0])
        for rows, part in _pieces(matrix.indptr):
            sizes = np.abs(matrix.data[part])
            sizes *= weights[matrix.indices[part]]
            starts = matrix.indptr[rows] - matrix.indptr[rows.start]
            filled = np.diff(matrix.indptr[rows.start : rows.stop + 1]) > 0
            sums[rows][filled] = np.add.reduceat(sizes, starts[filled]) if filled.any() else 0.0
        found = sums[self.kept] * scale
        if self.added is not None:
            found = found + (abs(self.added) @ scale) * scale
        return float(found.max(initial=0.0))

    def tocsr(self) -> sp.csr_matrix:
        """Return a copy with both triangles and sorted rows."""
        return self._copied(upper=False)

    def upper(self) -> UpperTriangle:
        """Return a copy of the upper triangle.

        Raises:
            MemoryNeedError: when there are more entries than sparse solvers can count.
        """
        found = self._copied(upper=True)
        require_countable(found.nnz)
        indices = (found.indptr, found.indices)
        return UpperTriangle(found.data, *(each.astype(np.int32, copy=False) for each in indices))

    def _copied(self, *, upper: bool) -> sp.csr_matrix:
        matrix = self.matrix
        if not matrix.has_sorted_indices:
            matrix = matrix.sorted_indices()
        numbers = np.full(matrix.shape[0], -1, np.int32)
        numbers[self.kept] = np.arange(len(self.kept), dtype=np.int32)

        def of_piece(rows: slice, part: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            columns = numbers[matrix.indices[part]]
            own = np.repeat(numbers[rows], np.diff(matrix.indptr[rows.start : rows.stop + 1]))
            return own, columns, (own >= 0) & (columns >= (own if upper else 0))

        # Entries are counted first, so that memory is allocated once, and only for the part.
        counts = np.zeros(len(self.kept) + 1, np.int64)
        for rows, part in _pieces(matrix.indptr):
            own, _, chosen = of_piece(rows, part)
            here = numbers[rows]
            here = here[here >= 0]
            if len(here):
                counts[here[0] + 1 : here[-1] + 2] = np.bincount(own[chosen] - here[0], minlength=len(here))
        indptr = np.cumsum(counts)
        if indptr[-1] <= np.iinfo(np.int32).max:
            indptr = indptr.astype(np.int32)
        data, indices = np.empty(int(indptr[-1])), np.empty(int(indptr[-1]), numbers.dtype)
        place = 0
        for rows, part in _pieces(matrix.indptr):
            _, columns, chosen = of_piece(rows, part)
            end = place + int(np.count_nonzero(chosen))
            data[place:end], indices[place:end] = matrix.data[part][chosen], columns[chosen]
            place = end
        found = sp.csr_matrix((data, indices, indptr), shape=self.shape)
        found.has_canonical_format = True
        if self.added is None:
            return found
        more = sp.triu(self.added, format="csr") if upper else self.added
        both = sp.csr_matrix(found + more)
        both.sort_indices()
        return both


def scale_rows_and_columns(
    data: np.ndarray, indptr: np.ndarray, indices: np.ndarray, factors: np.ndarray
) -> None:
    """Multiply entries in place, row by row as in CSR, by the factors (n,) of their rows and columns."""
    for rows, part in _pieces(indptr):
        data[part] *= factors[indices[part]]
        data[part] *= np.repeat(factors[rows], np.diff(indptr[rows.start : rows.stop + 1]))


def _pieces(indptr: np.ndarray) -> Iterator[tuple[slice, slice]]:
    """Yield slices of rows and of their entries, a few million entries at a time; one row at least."""
    start, n = 0, len(indptr) - 1
    while start < n:
        stop = int(np.searchsorted(indptr, indptr[start] + _ENTRIES, "right")) - 1
        stop = min(max(stop, start + 1), n)
        yield slice(start, stop), slice(int(indptr[start]), int(indptr[stop]))
        start = stop
