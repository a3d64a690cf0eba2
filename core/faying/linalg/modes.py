"""The lowest vibration modes of a held body, by shift-invert Lanczos on its factor."""

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from faying.errors import SolveError
from faying.linalg.factor import Factor
from faying.progress import Progress, Silent


def lowest_modes(
    stiffness: sp.csr_matrix,
    mass: sp.csr_matrix,
    count: int,
    factor: Factor,
    progress: Progress | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return (count,) eigenvalues ω², ascending, and (n, count) modes with Vᵀ M V = I.

    Shift-invert Lanczos at zero (ARPACK). The result is reproducible: the start vector is fixed, and the
    largest component of each mode is positive. With the factor of a saddle point system the modes obey its
    constraints.

    Args:
        stiffness: K (n, n).
        mass: M (n, n), positive semidefinite.
        count: number of modes; less are returned when the body has not so many.
        factor: of K, or of K with constraints.
        progress: asked at every solve whether to stop.

    Raises:
        SolveError: when Lanczos finds fewer modes than asked.
        Cancelled: when asked to stop.
    """
    progress = progress or Silent()
    n = stiffness.shape[0]
    start = factor.solve(mass @ np.random.default_rng(3).standard_normal(n))
    basis = _basis_size(count)
    if basis >= min(n, mass_rank_bound(mass)):
        return _dense_modes(stiffness, mass, count, factor)
    solves = 0

    def solve(load: np.ndarray) -> np.ndarray:
        nonlocal solves
        solves += 1
        progress.report(min(0.95, solves / (basis + count / 2)), f"{count} modes, solve {solves}")
        return factor.solve(np.asarray(load).ravel())

    operator = spla.LinearOperator((n, n), matvec=solve, dtype=np.float64)
    try:
        values, vectors = spla.eigsh(
            stiffness, count, mass, sigma=0.0, OPinv=operator, v0=start, ncv=basis, tol=1e-9
        )
    except spla.ArpackNoConvergence as error:
        raise SolveError(
            f"Only {len(error.eigenvalues)} of {count} vibration modes converged.",
            "Ask for fewer modes, or look for parts that hardly anything holds.",
        ) from error
    progress.report(1.0, f"{count} modes")
    return _standard_form(values, vectors, mass)


def mass_rank_bound(mass: sp.csr_matrix) -> int:
    """Return the number of dofs with mass; there are not more modes than that."""
    return int((mass.diagonal() > 0.0).sum())


def _basis_size(count: int) -> int:
    """Return the Lanczos basis size: more than twice the modes does not pay, a little more than them does."""
    return min(2 * count + 10, count + 40) if count > 10 else count + 20


def _dense_modes(
    stiffness: sp.csr_matrix, mass: sp.csr_matrix, count: int, factor: Factor
) -> tuple[np.ndarray, np.ndarray]:
    """Solve a body of few dofs through the full flexibility, which the factor gives with its constraints."""
    n = stiffness.shape[0]
    flexibility = factor.solve(np.eye(n))
    heavy = np.linalg.eigh(mass.toarray())
    root = heavy.eigenvectors * np.sqrt(np.maximum(heavy.eigenvalues, 0.0))
    inverse_squares, shapes = np.linalg.eigh(root.T @ flexibility @ root)
    keep = np.flatnonzero(inverse_squares > 1e-12 * inverse_squares[-1])[::-1][:count]
    values = 1.0 / inverse_squares[keep]
    return _standard_form(values, flexibility @ (root @ shapes[:, keep]) * values, mass)


def _standard_form(
    values: np.ndarray, vectors: np.ndarray, mass: sp.csr_matrix
) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(values)
    values, vectors = values[order], vectors[:, order]
    vectors = vectors / np.sqrt(np.einsum("ij,ij->j", vectors, mass @ vectors))
    largest = vectors[np.argmax(np.abs(vectors), axis=0), np.arange(vectors.shape[1])]
    return values, vectors * np.sign(largest)
