"""The kernels of the assembly compiled by numba; `faying.fem.kernels` alone imports this.

The machine code is kept beside this file, or in the user's cache folder where that cannot be written.
"""

import numba
import numpy as np

_compiled = numba.njit(cache=True, nogil=True, error_model="numpy")


@_compiled
def block_pattern(points: np.ndarray, starts: np.ndarray, n_points: int) -> tuple[np.ndarray, np.ndarray]:
    """Return row starts and columns of all pairs of points that share an element; see `Kernels`."""
    n_elements = len(starts) - 1
    # Elements of each point.
    first = np.zeros(n_points + 1, np.int64)
    for point in points:
        first[point + 1] += 1
    for i in range(n_points):
        first[i + 1] += first[i]
    free = first[:-1].copy()
    elements = np.empty(len(points), np.int64)
    for e in range(n_elements):
        for point in points[starts[e] : starts[e + 1]]:
            elements[free[point]] = e
            free[point] += 1
    # Twice the same walk: to count each row's columns, and to write them down.
    indptr = np.zeros(n_points + 1, np.int64)
    columns = np.empty(0, np.int32)
    for writing in (False, True):
        if writing:
            for i in range(n_points):
                indptr[i + 1] += indptr[i]
            columns = np.empty(indptr[-1], np.int32)
        seen = np.full(n_points, -1, np.int64)
        for i in range(n_points):
            count = 0
            for e in elements[first[i] : first[i + 1]]:
                for other in points[starts[e] : starts[e + 1]]:
                    if seen[other] != i:
                        seen[other] = i
                        if writing:
                            columns[indptr[i] + count] = other
                        count += 1
            if writing:
                columns[indptr[i] : indptr[i + 1]].sort()
            else:
                indptr[i + 1] = count
    return indptr, columns


@_compiled
def _position(columns: np.ndarray, start: int, stop: int, column: int) -> int:
    """Return where a column stands among the ascending columns[start:stop], which have it."""
    while stop - start > 1:
        middle = (start + stop) // 2
        if columns[middle] <= column:
            start = middle
        else:
            stop = middle
    return start


@_compiled
def add_blocks(
    values: np.ndarray, indptr: np.ndarray, columns: np.ndarray, points: np.ndarray, matrices: np.ndarray
) -> None:
    """Add element matrices of 3 × 3 blocks to the values of a CSR matrix; see `Kernels`."""
    n, k = points.shape
    for e in range(n):
        for a in range(k):
            start, stop = indptr[points[e, a]], indptr[points[e, a] + 1]
            width = 3 * (stop - start)
            for b in range(k):
                position = _position(columns, start, stop, points[e, b])
                at = 9 * start + 3 * (position - start)
                for i in range(3):
                    for j in range(3):
                        values[at + i * width + j] += matrices[e, 3 * a + i, 3 * b + j]


@_compiled
def add_scalars(
    values: np.ndarray, indptr: np.ndarray, columns: np.ndarray, points: np.ndarray, matrices: np.ndarray
) -> None:
    """Add element matrices of one number per pair of points to the values of a CSR matrix; see `Kernels`."""
    n, k = points.shape
    for e in range(n):
        for a in range(k):
            start, stop = indptr[points[e, a]], indptr[points[e, a] + 1]
            for b in range(k):
                values[_position(columns, start, stop, points[e, b])] += matrices[e, a, b]


@_compiled
def repeat_rows(indptr: np.ndarray, entries: np.ndarray, step: int) -> np.ndarray:
    """Return the entries of a matrix that has each row three times, each time more by a step; see `Kernels`."""
    repeated = np.empty(3 * len(entries), entries.dtype)
    for row in range(len(indptr) - 1):
        start, stop = indptr[row], indptr[row + 1]
        at = 3 * start
        for copy in range(3):
            for entry in entries[start:stop]:
                repeated[at] = entry + copy * step
                at += 1
    return repeated


@_compiled
def isotropic_stiffness(gradients: np.ndarray, volumes: np.ndarray, lam: float, mu: float) -> np.ndarray:
    """Return (n, 3k, 3k) stiffness matrices; see `Kernels`."""
    n, q, k, _ = gradients.shape
    stiffness = np.empty((n, 3 * k, 3 * k))
    product = np.empty((3, 3))
    for e in range(n):
        for a in range(k):
            for b in range(a, k):
                product[:] = 0.0
                for p in range(q):
                    for i in range(3):
                        weighted = volumes[e, p] * gradients[e, p, a, i]
                        for j in range(3):
                            product[i, j] += weighted * gradients[e, p, b, j]
                shear = mu * (product[0, 0] + product[1, 1] + product[2, 2])
                for i in range(3):
                    for j in range(3):
                        value = lam * product[i, j] + mu * product[j, i]
                        if i == j:
                            value += shear
                        stiffness[e, 3 * a + i, 3 * b + j] = value
                        stiffness[e, 3 * b + j, 3 * a + i] = value
    return stiffness


@_compiled
def condensed(stiffness: np.ndarray, kept: int) -> np.ndarray:
    """Return (n, kept, kept) stiffness matrices; see `Kernels`."""
    n, size, _ = stiffness.shape
    reduced = np.empty((n, kept, kept))
    for e in range(n):
        # Gauss' elimination of the last dofs, in the lower triangle.
        rest = stiffness[e].copy()
        for p in range(size - 1, kept - 1, -1):
            for i in range(p):
                factor = rest[p, i] / rest[p, p]
                for j in range(i + 1):
                    rest[i, j] -= factor * rest[p, j]
        for i in range(kept):
            for j in range(i + 1):
                reduced[e, i, j] = reduced[e, j, i] = rest[i, j]
    return reduced
