"""What an assembly spends its time with: element stiffness, the pattern of the matrices, summing into it.

The compiled kernels pass over each element once. Without numba numpy does the same, slower.
"""

from functools import cache
from typing import Protocol

import numpy as np
import scipy.sparse as sp


class AssemblyKernels(Protocol):
    """What the compiled and the plain kernels have in common.

    A pattern of pairs of points is `indptr` (n_points + 1,) and `columns`, ascending in each row. The matrix with a
    3 × 3 block for each pair has three rows and columns per point; its values stand row by row, as CSR has them.
    """

    def block_pattern(
        self, points: np.ndarray, starts: np.ndarray, n_points: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return row starts (n_points + 1,) and columns of all pairs of points that share an element.

        Args:
            points: the elements' points one after the other.
            starts: (n_elements + 1,) where each element's points begin.
            n_points: number of points.
        """

    def add_blocks(
        self,
        values: np.ndarray,
        indptr: np.ndarray,
        columns: np.ndarray,
        points: np.ndarray,
        matrices: np.ndarray,
    ) -> None:
        """Add element matrices (n, 3k, 3k) between points (n, k) to the values (9 n_pairs,)."""

    def add_scalars(
        self,
        values: np.ndarray,
        indptr: np.ndarray,
        columns: np.ndarray,
        points: np.ndarray,
        matrices: np.ndarray,
    ) -> None:
        """Add element matrices (n, k, k) between points (n, k) to the values (n_pairs,), one for each pair."""

    def repeat_rows(self, indptr: np.ndarray, entries: np.ndarray, step: int) -> np.ndarray:
        """Return the entries of a matrix that has each row of `indptr` three times, each time more by the step."""

    def isotropic_stiffness(
        self, gradients: np.ndarray, volumes: np.ndarray, lam: float, mu: float
    ) -> np.ndarray:
        """Return (n, 3k, 3k) integrals of λ tr ε tr δε + 2μ ε : δε over the given gradients.

        Args:
            gradients: (n, q, k, 3) of k functions, each moving in three directions.
            volumes: (n, q) of the points.
            lam, mu: Lamé's constants.
        """

    def condensed(self, stiffness: np.ndarray, kept: int) -> np.ndarray:
        """Return (n, kept, kept) stiffness matrices with the dofs after the first `kept` free of load."""


class PlainAssemblyKernels:
    """The kernels in numpy; for arguments see `AssemblyKernels`."""

    def block_pattern(
        self, points: np.ndarray, starts: np.ndarray, n_points: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the product of the incidence of points and elements with its transpose."""
        shape = (len(starts) - 1, n_points)
        incidence = sp.csr_matrix((np.ones(len(points), np.int32), points, starts), shape=shape)
        pattern = (incidence.T @ incidence).tocsr()
        pattern.sort_indices()
        return pattern.indptr.astype(np.int64), pattern.indices.astype(np.int32)

    def add_blocks(
        self,
        values: np.ndarray,
        indptr: np.ndarray,
        columns: np.ndarray,
        points: np.ndarray,
        matrices: np.ndarray,
    ) -> None:
        """Add element matrices of 3 × 3 blocks."""
        n, k = points.shape
        starts, widths = indptr[points], 3 * (indptr[points + 1] - indptr[points])
        at = 3 * _positions(indptr, columns, points) + 6 * starts[:, :, None]
        # Axes: element, point a, direction i, point b, direction j.
        i, j = np.arange(3)[:, None, None], np.arange(3)
        entries = at[:, :, None, :, None] + i * widths[:, :, None, None, None] + j
        np.add.at(values, entries.ravel(), matrices.reshape(n, k, 3, k, 3).ravel())

    def add_scalars(
        self,
        values: np.ndarray,
        indptr: np.ndarray,
        columns: np.ndarray,
        points: np.ndarray,
        matrices: np.ndarray,
    ) -> None:
        """Add element matrices of one number per pair."""
        np.add.at(values, _positions(indptr, columns, points).ravel(), matrices.ravel())

    def repeat_rows(self, indptr: np.ndarray, entries: np.ndarray, step: int) -> np.ndarray:
        """Return the entries of a matrix that has each row three times."""
        lengths = np.repeat(np.diff(indptr), 3)
        shift = np.repeat(indptr[:-1], 3) - np.concatenate([[0], np.cumsum(lengths)[:-1]])
        source = np.arange(3 * len(entries)) + np.repeat(shift, lengths)
        copy = np.repeat(np.arange(len(lengths)) % 3, lengths).astype(entries.dtype)
        return np.asarray(entries[source] + copy * step)

    def isotropic_stiffness(
        self, gradients: np.ndarray, volumes: np.ndarray, lam: float, mu: float
    ) -> np.ndarray:
        """Return (n, 3k, 3k) stiffness matrices, from all products g_a g_bᵀ summed over the points."""
        n, q, k, _ = gradients.shape
        flat = gradients.reshape(n, q, 3 * k)
        products = (flat * volumes[..., None]).transpose(0, 2, 1) @ flat
        blocks = products.reshape(n, k, 3, k, 3)
        stiffness: np.ndarray = lam * blocks + mu * blocks.transpose(0, 1, 4, 3, 2)
        dots = mu * np.trace(blocks, axis1=2, axis2=4)
        for i in range(3):
            stiffness[:, :, i, :, i] += dots
        return stiffness.reshape(n, 3 * k, 3 * k)

    def condensed(self, stiffness: np.ndarray, kept: int) -> np.ndarray:
        """Return (n, kept, kept) stiffness matrices, their round-off made symmetric."""
        outer, mixed = stiffness[:, :kept, :kept], stiffness[:, kept:, :kept]
        reduced: np.ndarray = outer - mixed.transpose(0, 2, 1) @ np.linalg.solve(
            stiffness[:, kept:, kept:], mixed
        )
        symmetric: np.ndarray = 0.5 * (reduced + reduced.transpose(0, 2, 1))
        return symmetric


def _positions(indptr: np.ndarray, columns: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return (n, k, k) where each pair of an element's points stands in the pattern."""
    n, k = points.shape
    n_points = len(indptr) - 1
    numbered = sp.csr_matrix((np.arange(len(columns)), columns, indptr), shape=(n_points, n_points))
    pairs = np.repeat(points, k, axis=1).ravel(), np.tile(points, (1, k)).ravel()
    return np.asarray(numbered[pairs]).reshape(n, k, k)


@cache
def kernels() -> AssemblyKernels:
    """Return the compiled kernels, or the plain ones where numba is missing.

    Loading numba takes a second, and compiling for the first time some more: ask when there is work to do.
    """
    try:
        from faying.fem import kernels_compiled
    except (ImportError, RuntimeError):  # not installed, or no folder where its code can be kept
        return PlainAssemblyKernels()
    return kernels_compiled
