"""Vectors made orthonormal in the elastic energy, one after the other, or all at once by small products of them."""

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.linalg.products import energies as energies_of

_DEPENDENT = 1e-6  # energy norm of what a vector adds, relative to its own
_BLOCK = 16  # vectors that are freed of all before them at once
_TURNS = 3  # after the second only round-off is left to take out; the third is for near-dependent neighbours,
_SETTLED = 1e-3  # whose lengths the second one still changes by more than this


def energy_orthonormal(
    stiffness: sp.csr_matrix, vectors: np.ndarray, energies: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return (Q (n, r) with Qᵀ K Q = I and the same span, (r,) which vectors added something).

    A vector that adds less than a millionth of its length to those before it is left out.

    What vectors share is taken out of the vectors, never out of their Gram matrix alone: bending stores so little
    energy for the forces between neighbouring nodes that Vᵀ K V is true to six digits only, and static responses to
    forces on neighbouring pairs differ by less (block Gram-Schmidt with reorthogonalisation; Stewart 2008).

    Args:
        stiffness: K (n, n), not negative.
        vectors: V (n, k), each with an energy of its own.
        energies: (k,) vᵀ K v where they are known.
    """
    if energies is None:
        energies = energies_of(stiffness, vectors)
    return orthonormal_in_place(stiffness, vectors / np.sqrt(energies))


def orthonormal_in_place(
    stiffness: sp.csr_matrix, vectors: np.ndarray, done: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return what `energy_orthonormal` does, in the place of vectors (n, k) of energy one, which are used up.

    Of K times the vectors nothing is kept: a product with it costs less than the memory.

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
        vectors[:, count : count + len(numbers)] = block  # never further than what was read
        count += len(numbers)
    return vectors[:, :count], kept


def _factor(gram: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Cholesky's (R (r, r), (r,) which rows and columns), without those whose pivot is not above the least."""
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
    """Return C (s', s) that makes shapes V of products Vᵀ K V (s', s') orthonormal; dependent directions left out.

    Args:
        products: symmetric.
        dependent: share of the largest energy, of shapes scaled to one each, below which a direction adds nothing.
    """
    energies = np.diag(products)
    scale = 1.0 / np.sqrt(np.where(energies > 0.0, energies, np.inf))
    values, directions = la.eigh(scale[:, None] * products * scale)
    kept = values > dependent * values[-1]
    return np.asarray(scale[:, None] * directions[:, kept] / np.sqrt(values[kept]))
