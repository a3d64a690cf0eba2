"""Time-critical kernels of the assembly: element stiffness, sparsity pattern, summation into the matrices.

Each kernel (`faying.compiled`) passes over each element once, and has a slower equivalent in NumPy.

A pattern of pairs of points is `indptr` (n_points + 1,) and `columns`, ascending in each row. The matrix with a 3 × 3
block for each pair has three rows and columns per point; its values are stored row by row as in CSR.
"""

import numpy as np
import scipy.sparse as sp

from faying.compiled import compiled


def _positions(indptr: np.ndarray, columns: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return (n, k, k) the index in the pattern of each pair of an element's points."""
    n, k = points.shape
    n_points = len(indptr) - 1
    numbered = sp.csr_matrix((np.arange(len(columns)), columns, indptr), shape=(n_points, n_points))
    pairs = np.repeat(points, k, axis=1).ravel(), np.tile(points, (1, k)).ravel()
    return np.asarray(numbered[pairs]).reshape(n, k, k)


def _pattern_by_incidence(
    points: np.ndarray, starts: np.ndarray, n_points: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the product of the incidence of points and elements with its transpose."""
    shape = (len(starts) - 1, n_points)
    incidence = sp.csr_matrix((np.ones(len(points), np.int32), points, starts), shape=shape)
    pattern = (incidence.T @ incidence).tocsr()
    pattern.sort_indices()
    return pattern.indptr.astype(np.int64), pattern.indices.astype(np.int32)


@compiled(plain=_pattern_by_incidence, reorder=False, nogil=True)
def block_pattern(points: np.ndarray, starts: np.ndarray, n_points: int) -> tuple[np.ndarray, np.ndarray]:
    """Return row starts (n_points + 1,) and columns of all pairs of points that share an element.

    Args:
        points: the elements' points, concatenated.
        starts: (n_elements + 1,) index of each element's first point.
        n_points: number of points.
    """
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
    # Two passes: the first counts each row's columns, the second writes them.
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


@compiled(reorder=False, nogil=True)
def _position(columns: np.ndarray, start: int, stop: int, column: int) -> int:
    """Return the index of a column in the ascending columns[start:stop], which contain it."""
    while stop - start > 1:
        middle = (start + stop) // 2
        if columns[middle] <= column:
            start = middle
        else:
            stop = middle
    return start


def _add_blocks_at(
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


@compiled(plain=_add_blocks_at, reorder=False, nogil=True)
def add_blocks(
    values: np.ndarray, indptr: np.ndarray, columns: np.ndarray, points: np.ndarray, matrices: np.ndarray
) -> None:
    """Add element matrices (n, 3k, 3k) between points (n, k) to the values (9 n_pairs,)."""
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


def _add_scalars_at(
    values: np.ndarray,
    indptr: np.ndarray,
    columns: np.ndarray,
    points: np.ndarray,
    matrices: np.ndarray,
) -> None:
    """Add element matrices of one number per pair."""
    np.add.at(values, _positions(indptr, columns, points).ravel(), matrices.ravel())


@compiled(plain=_add_scalars_at, reorder=False, nogil=True)
def add_scalars(
    values: np.ndarray, indptr: np.ndarray, columns: np.ndarray, points: np.ndarray, matrices: np.ndarray
) -> None:
    """Add element matrices (n, k, k) between points (n, k) to the values (n_pairs,), one for each pair."""
    n, k = points.shape
    for e in range(n):
        for a in range(k):
            start, stop = indptr[points[e, a]], indptr[points[e, a] + 1]
            for b in range(k):
                values[_position(columns, start, stop, points[e, b])] += matrices[e, a, b]


def _rows_by_source(indptr: np.ndarray, entries: np.ndarray, step: int) -> np.ndarray:
    """Return the entries of a matrix in which each row occurs three times."""
    lengths = np.repeat(np.diff(indptr), 3)
    shift = np.repeat(indptr[:-1], 3) - np.concatenate([[0], np.cumsum(lengths)[:-1]])
    source = np.arange(3 * len(entries)) + np.repeat(shift, lengths)
    copy = np.repeat(np.arange(len(lengths)) % 3, lengths).astype(entries.dtype)
    return np.asarray(entries[source] + copy * step)


@compiled(plain=_rows_by_source, reorder=False, nogil=True)
def repeat_rows(indptr: np.ndarray, entries: np.ndarray, step: int) -> np.ndarray:
    """Return (3 nnz,) entries of a matrix with each row three times, increased by 0, 1 and 2 times the step."""
    repeated = np.empty(3 * len(entries), entries.dtype)
    for row in range(len(indptr) - 1):
        start, stop = indptr[row], indptr[row + 1]
        at = 3 * start
        for copy in range(3):
            for entry in entries[start:stop]:
                repeated[at] = entry + copy * step
                at += 1
    return repeated


def _stiffness_by_products(gradients: np.ndarray, volumes: np.ndarray, lam: float, mu: float) -> np.ndarray:
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


@compiled(plain=_stiffness_by_products, reorder=False, nogil=True)
def isotropic_stiffness(gradients: np.ndarray, volumes: np.ndarray, lam: float, mu: float) -> np.ndarray:
    """Return (n, 3k, 3k) integrals of λ tr ε tr δε + 2μ ε : δε over the given gradients.

    Args:
        gradients: (n, q, k, 3) of k functions, each moving in three directions.
        volumes: (n, q) of the points.
        lam, mu: Lamé's constants.
    """
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


def _condensed_by_solution(stiffness: np.ndarray, kept: int) -> np.ndarray:
    """Return (n, kept, kept) condensed stiffness matrices, made symmetric to round-off."""
    outer, mixed = stiffness[:, :kept, :kept], stiffness[:, kept:, :kept]
    reduced: np.ndarray = outer - mixed.transpose(0, 2, 1) @ np.linalg.solve(
        stiffness[:, kept:, kept:], mixed
    )
    symmetric: np.ndarray = 0.5 * (reduced + reduced.transpose(0, 2, 1))
    return symmetric


@compiled(plain=_condensed_by_solution, reorder=False, nogil=True)
def condensed(stiffness: np.ndarray, kept: int) -> np.ndarray:
    """Return (n, kept, kept) stiffness matrices, statically condensed to the first `kept` dofs."""
    n, size, _ = stiffness.shape
    reduced = np.empty((n, kept, kept))
    for e in range(n):
        # Gaussian elimination of the last dofs, in the lower triangle.
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
