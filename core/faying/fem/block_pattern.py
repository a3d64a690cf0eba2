"""Sparse matrices of 3 × 3 blocks between points: the pattern, sums of element matrices in it, CSR."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from faying.fem import kernels


@dataclass(frozen=True, eq=False)
class BlockPattern:
    """The pairs of points that elements connect, row by row with ascending columns.

    Attributes:
        indptr: (n_points + 1,) index of each point's first pair.
        columns: (n_pairs,) the second point of each pair.
    """

    indptr: np.ndarray
    columns: np.ndarray

    @classmethod
    def of_elements(cls, points: list[np.ndarray], n_points: int) -> "BlockPattern":
        """Return the pattern of elements given by arrays (n, k) of their points."""
        sizes = np.concatenate([np.zeros(0, np.int64), *(np.full(len(p), p.shape[1]) for p in points)])
        starts = np.concatenate([[0], np.cumsum(sizes)])
        return cls(
            *kernels.block_pattern(
                np.concatenate([np.zeros(0, np.int64), *(p.ravel() for p in points)]), starts, n_points
            )
        )

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return len(self.columns)

    def add_blocks(self, values: np.ndarray, points: np.ndarray, matrices: np.ndarray) -> None:
        """Add element matrices (n, 3k, 3k) between points (n, k) to the values (9 n_pairs,) of a block matrix."""
        kernels.add_blocks(values, self.indptr, self.columns, points, np.ascontiguousarray(matrices))

    def add_scalars(self, values: np.ndarray, points: np.ndarray, matrices: np.ndarray) -> None:
        """Add element matrices (n, k, k) between points (n, k) to values (n_pairs,), one for each pair."""
        kernels.add_scalars(values, self.indptr, self.columns, points, np.ascontiguousarray(matrices))

    def block_matrix(self, values: np.ndarray) -> sp.csr_matrix:
        """Return the (3 n_points, 3 n_points) matrix of summed blocks."""
        columns = (3 * self.columns[:, None] + np.arange(3, dtype=self.columns.dtype)).ravel()
        indptr = 3 * self.indptr
        return _csr(values, kernels.repeat_rows(indptr, columns, 0), _starts_of_repeated(indptr))

    def scalar_matrix(self, values: np.ndarray) -> sp.csr_matrix:
        """Return the (3 n_points, 3 n_points) matrix of summed scalars times 3 × 3 identities, without stored zeros."""
        n = len(self.indptr) - 1
        nodal = sp.csr_matrix((values, self.columns.copy(), self.indptr.copy()), shape=(n, n))
        nodal.eliminate_zeros()
        columns = kernels.repeat_rows(nodal.indptr, 3 * nodal.indices, 1)
        return _csr(
            kernels.repeat_rows(nodal.indptr, nodal.data, 0), columns, _starts_of_repeated(nodal.indptr)
        )


def _starts_of_repeated(indptr: np.ndarray) -> np.ndarray:
    """Return the row starts of a matrix that has each row three times."""
    return np.concatenate([[0], np.cumsum(np.repeat(np.diff(indptr), 3), dtype=np.int64)])


def _csr(values: np.ndarray, columns: np.ndarray, indptr: np.ndarray) -> sp.csr_matrix:
    """Return a square CSR matrix whose columns ascend in each row."""
    n = len(indptr) - 1
    matrix = sp.csr_matrix((values, columns, indptr), shape=(n, n))
    matrix.has_canonical_format = True
    return matrix
