"""Orthonormalisation in the elastic energy, of vectors in order or of all at once by their products."""

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.linalg.products import energies as energies_of

_DEPENDENT = 1e-6  # energy norm of a vector's part outside of those before it, relative to its own
_BLOCK = 16  # vectors that are orthogonalised against all before them at once
_TURNS = 3  # the second pass takes out round-off; the third is for nearly dependent vectors,
_SETTLED = 1e-3  # whose norm the second pass still changes by more than this


def energy_orthonormal(
    stiffness: sp.csr_matrix, vectors: np.ndarray, energies: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return (Q (n, r) with Qᵀ K Q = I and the same span, (r,) numbers of the vectors that are kept).

    A vector whose part outside the span of those before it is less than a millionth of its energy norm is left out.

    The vectors themselves are orthogonalised, not their Gram matrix: in bending Vᵀ K V is accurate to six digits only,
    as large nodal forces cancel, and static responses to forces on neighbouring pairs differ by less (block
    Gram-Schmidt with reorthogonalisation; Stewart 2008).

    Args:
        stiffness: K (n, n), not negative.
        vectors: V (n, k), each with an energy of its own.
        energies: (k,) vᵀ K v, if known.
    """
    if energies is None:
        energies = energies_of(stiffness, vectors)
    return orthonormal_in_place(stiffness, vectors / np.sqrt(energies))


def orthonormal_in_place(
    stiffness: sp.csr_matrix, vectors: np.ndarray, done: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return as `energy_orthonormal`, for vectors (n, k) of energy one, in whose memory the result is written.

    Products of K with the vectors are not stored: to compute them again costs less than the memory.

    Args:
        stiffness: K (n, n).
        vectors: see above.
        done: how many of the first are orthonormal already; the numbers returned count from there.
    """
    kept, count = np.zeros(0, np.intp), done
    for first in range(done, vectors.shape[1], _BLOCK):
        numbers = np.arange(first, min(first + _BLOCK, vectors.shape[1]))
        block = vectors[:, first : first + _BLOCK].copy()
        lengths, found = np.ones(len(numbers)), vectors[:, :count]
        for turn in range(_TURNS):
            if count:
                block -= found @ (found.T @ (stiffness @ block))
            factor, some = _factor(block.T @ (stiffness @ block), _DEPENDENT / lengths)
            block = la.solve_triangular(factor, block[:, some].T, trans="T").T
            numbers, lengths = numbers[some], lengths[some] * np.diag(factor)
            if turn and (np.abs(np.diag(factor) - 1.0) < _SETTLED).all():
                break
        kept = np.concatenate([kept, numbers - done])
        vectors[:, count : count + len(numbers)] = block  # never beyond the part already read
        count += len(numbers)
    return vectors[:, :count], kept


def _factor(gram: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Cholesky factor R (r, r), and numbers (r,) of the columns kept: those with a pivot above `least`²."""
    rows = np.zeros_like(gram)
    kept: list[int] = []
    for k in range(len(gram)):
        done = rows[: len(kept)]
        rest = gram[k, k:] - done[:, k] @ done[:, k:]
        if rest[0] > least[k] ** 2:
            rows[len(kept), k:] = rest / np.sqrt(rest[0])
            kept.append(k)
    chosen = np.array(kept, np.intp)
    return rows[: len(kept), chosen], chosen


def orthonormal_combinations(products: np.ndarray, dependent: float) -> np.ndarray:
    """Return C (s', s) such that V C is orthonormal, from products Vᵀ K V (s', s'); without dependent directions.

    Args:
        products: symmetric.
        dependent: eigenvalue, relative to the largest, of the products scaled to a unit diagonal, below which a
            direction is dependent.
    """
    energies = np.diag(products)
    scale = 1.0 / np.sqrt(np.where(energies > 0.0, energies, np.inf))
    values, directions = la.eigh(scale[:, None] * products * scale)
    kept = values > dependent * values[-1]
    return np.asarray(scale[:, None] * directions[:, kept] / np.sqrt(values[kept]))
