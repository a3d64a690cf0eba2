"""Block Lanczos for the largest eigenvalues of a flexibility: K⁻¹ M x = θ x."""

from collections.abc import Callable

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.progress import Progress

_BREAKDOWN = 1e-14  # relative to the largest eigenvalue: a smaller remainder of a block is round-off
_CANCELLED = 0.1  # a block that keeps less of its length than this is orthogonalised again
# Squared lengths within a block, relative to its longest direction.
_DEPENDENT, _NEARLY_DEPENDENT = 1e-24, 1e-6
_MOST_PER_VALUE, _MOST_MORE = 4, 300  # largest dimension of the Krylov space


def largest_flexibilities(
    flexibility: Callable[[np.ndarray], np.ndarray],
    mass: sp.csr_matrix,
    start: np.ndarray,
    count: int,
    tolerance: float,
    progress: Progress,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return ((k,) largest θ, descending, (n, k) vectors, how many of these have converged).

    Golub and Underwood's block Lanczos method with full reorthogonalisation, in the inner product of the mass. A block
    of vectors costs little more than two single ones, since the factor's entries are loaded into the processor once for
    all of them. The space grows until the wanted values have converged, without restarts.

    Args:
        flexibility: (n, b) loads -> (n, b) displacements, symmetric, positive semidefinite.
        mass: M (n, n), positive semidefinite.
        start: (n, b) first block, in the range of the flexibility.
        count: requested number.
        tolerance: largest residual of a value in the mass norm, relative to it.
        progress: reports and cancels, block by block.
    """
    first, _, momentum = _orthonormal(start, mass @ start, mass, 0.0)
    basis, triangle = [first], np.zeros((first.shape[1],) * 2)
    coupling = np.zeros((0, 0))  # of the last block with the preceding one
    before: np.ndarray | None = None
    while True:
        # One step of the recurrence, then full reorthogonalisation of the new block.
        last, size = basis[-1], len(triangle)
        b = last.shape[1]
        new = flexibility(momentum)
        diagonal = momentum.T @ new
        diagonal = 0.5 * (diagonal + diagonal.T)
        new -= last @ diagonal
        if before is not None:
            new -= before @ coupling.T
        before = last
        triangle[size - b :, size - b :] = diagonal
        values, vectors = la.eigh(triangle)
        following, coupling, momentum = _added(basis, new, mass, _BREAKDOWN * values[-1])

        # Residuals of the Ritz values, largest first.
        values, vectors = values[::-1], vectors[:, ::-1]
        residuals = np.linalg.norm(coupling @ vectors[size - b :], axis=0)
        converged = residuals <= tolerance * values
        leading = int(np.argmin(converged)) if not converged.all() else size
        exhausted = not following.shape[1] or size > _MOST_PER_VALUE * count + _MOST_MORE
        progress.report(
            min(0.95, size / (3.0 * count + 4.0 * b)),  # about this many vectors are needed
            f"{min(leading, count)} of {count} modes, {size} solutions",
        )
        if leading >= count or exhausted:
            kept = min(count, int((values > _BREAKDOWN * values[0]).sum()))
            shapes = np.zeros((len(new), kept))
            for k, block in enumerate(basis):
                shapes += block @ vectors[_place(basis, k), :kept]
            # The product with the flexibility is already known, and removes components without mass.
            shapes += following @ (coupling @ vectors[size - b :, :kept] / values[:kept])
            return values[:kept], shapes, min(leading, kept) if following.shape[1] else kept
        basis.append(following)
        grown = np.zeros((size + following.shape[1],) * 2)
        grown[:size, :size] = triangle
        grown[size:, size - b : size] = coupling
        grown[size - b : size, size:] = coupling.T
        triangle = grown


def _place(basis: list[np.ndarray], k: int) -> slice:
    start = sum(block.shape[1] for block in basis[:k])
    return slice(start, start + basis[k].shape[1])


def _added(
    basis: list[np.ndarray], new: np.ndarray, mass: sp.csr_matrix, least: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (following (n, r), R (r, b), mass @ following) with new = basis · (…) + following · R.

    Directions of `new` shorter than `least` are left out.
    """
    momentum = mass @ new
    lengths = np.sqrt(np.maximum(np.einsum("ij,ij->j", new, momentum), 0.0))
    while True:
        for block in basis:
            new -= block @ (block.T @ momentum)
        momentum = mass @ new
        left = np.sqrt(np.maximum(np.einsum("ij,ij->j", new, momentum), 0.0))
        if (left >= _CANCELLED * lengths).all() or left.max() <= least:
            break
        lengths = left
    return _orthonormal(new, momentum, mass, least)


def _orthonormal(
    vectors: np.ndarray, momentum: np.ndarray, mass: sp.csr_matrix, least: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (Q (n, r), R (r, b), M Q) with vectors = Q R and Qᵀ M Q = I; shorter directions are left out."""
    gram = vectors.T @ momentum
    squares, directions = la.eigh(0.5 * (gram + gram.T))
    kept = squares > max(least**2, _DEPENDENT * squares[-1], np.finfo(float).tiny)
    lengths = np.sqrt(squares[kept])
    scaling = directions[:, kept] / lengths
    vectors, momentum = vectors @ scaling, momentum @ scaling
    # Nearly dependent directions need a second pass, and a product of their own with the mass.
    if kept.any() and squares[kept][0] < _NEARLY_DEPENDENT * squares[-1]:
        momentum = mass @ vectors
    lower = la.cholesky(vectors.T @ momentum, lower=True)
    inverse = la.inv(lower).T  # of a matrix that is nearly the identity
    vectors, momentum = vectors @ inverse, momentum @ inverse
    return vectors, lower.T @ (lengths[:, None] * directions[:, kept].T), momentum
