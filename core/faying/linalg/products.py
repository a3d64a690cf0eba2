"""Products with many long columns, computed in blocks, so that no second array of their full size is needed."""

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from faying.linalg.symmetric import SymmetricPart

_COLUMNS = 32  # at a time, of products with a sparse matrix
_ROWS = 65_536  # at a time, of products with a small matrix


def gram(
    matrix: sp.csr_matrix | SymmetricPart, vectors: np.ndarray, others: np.ndarray | None = None
) -> np.ndarray:
    """Return Vᵀ A W (k, m) of vectors V (n, k) and others W (n, m), V itself without them, with a sparse A (n, n)."""
    right = vectors if others is None else others
    found = np.empty((vectors.shape[1], right.shape[1]))
    for part in _parts(right.shape[1], _COLUMNS):
        found[:, part] = vectors.T @ (matrix @ right[:, part])
    return found


def energies(matrix: sp.csr_matrix | SymmetricPart, vectors: np.ndarray) -> np.ndarray:
    """Return (k,) the diagonal of Vᵀ A V of vectors V (n, k) with a sparse A (n, n)."""
    found = np.empty(vectors.shape[1])
    for part in _parts(vectors.shape[1], _COLUMNS):
        block = vectors[:, part]
        found[part] = np.einsum("ij,ij->j", block, matrix @ block)
    return found


def combine_in_place(vectors: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """Return V C (n, m) of vectors V (n, k) and coefficients C (k, m), m ≤ k, in the memory of V, which is lost."""
    count = coefficients.shape[1]
    for part in _parts(len(vectors), _ROWS):
        vectors[part, :count] = vectors[part] @ coefficients
    return vectors[:, :count]


def take_rows(vectors: np.ndarray, rows: np.ndarray, out: np.ndarray) -> None:
    """Copy some rows (m,) of vectors (n, k) into out (m, k), without a temporary of that size."""
    for part in blocks(len(rows)):
        out[part] = vectors[rows[part]]


def blocks(size: int) -> Iterator[slice]:
    """Yield slices that cover `size` rows, of at most 65 536 rows each."""
    return _parts(size, _ROWS)


def _parts(size: int, step: int) -> Iterator[slice]:
    for start in range(0, size, step):
        yield slice(start, min(start + step, size))
