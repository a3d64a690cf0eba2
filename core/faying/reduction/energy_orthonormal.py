"""Vectors made orthonormal in the elastic energy, one after the other."""

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

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
        energies = np.einsum("ij,ij->j", vectors, stiffness @ vectors)
    start = vectors / np.sqrt(energies)
    found, forces, kept = np.empty_like(start), np.empty_like(start), np.zeros(0, np.intp)
    for first in range(0, start.shape[1], _BLOCK):
        block, numbers = (
            start[:, first : first + _BLOCK],
            np.arange(first, min(first + _BLOCK, start.shape[1])),
        )
        lengths, r = np.ones(len(numbers)), len(kept)
        for turn in range(_TURNS):
            block = block - found[:, :r] @ (forces[:, :r].T @ block)
            force = stiffness @ block
            factor, some = _factor(block.T @ force, _DEPENDENT / lengths)
            block, force = (
                la.solve_triangular(factor, part[:, some].T, trans="T").T for part in (block, force)
            )
            numbers, lengths = numbers[some], lengths[some] * np.diag(factor)
            if turn and (np.abs(np.diag(factor) - 1.0) < _SETTLED).all():
                break
        kept = np.concatenate([kept, numbers])
        found[:, r : len(kept)], forces[:, r : len(kept)] = block, force
    return found[:, : len(kept)], kept


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
