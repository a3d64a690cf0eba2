"""The lowest vibration modes of a held body, by block Lanczos on its factor."""

import numpy as np
import scipy.sparse as sp

from faying.errors import SolveError
from faying.linalg.factor import Factor
from faying.linalg.lanczos import largest_flexibilities
from faying.linalg.threads import one_thread
from faying.progress import Progress, Silent

_TOLERANCE = 1e-7  # relative residual of a flexibility; the error of eigenvalues is its square: round-off
_SIZE_TOLERANCE = 1e-6  # relative difference up to which components count as equal in size
_BLOCK = 8  # vectors at a time; one at a time took twice as long for 10 and for 40 modes, 12 a little longer


def lowest_modes(
    mass: sp.csr_matrix, count: int, factor: Factor, progress: Progress | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return (count,) eigenvalues ω², ascending, and (n, count) modes with Vᵀ M V = I.

    Shift-invert block Lanczos at zero. The result is reproducible: the start vector is fixed, and the
    largest component of each mode is positive. With the factor of a saddle point system the modes obey its
    constraints.

    Args:
        mass: M (n, n), positive semidefinite.
        count: number of modes; fewer are returned when the body has fewer.
        factor: of the stiffness K, or of K with constraints.
        progress: checked at every block of solutions for cancellation.

    Raises:
        SolveError: when Lanczos finds fewer modes than requested.
        Cancelled: on request.
    """
    progress = progress or Silent()
    n = mass.shape[0]
    if 4 * count + 2 * _BLOCK >= min(n, mass_rank_bound(mass)):
        return _dense_modes(mass, count, factor)
    start = factor.solve(mass @ np.random.default_rng(3).standard_normal((n, _BLOCK)))
    # Blocks are too thin for several threads; the factor has its own threads.
    with one_thread():
        values, vectors, converged = largest_flexibilities(
            factor.solve, mass, start, count, _TOLERANCE, progress
        )
    if converged < min(count, len(values)):
        raise SolveError(
            f"Only {converged} of {count} vibration modes converged.",
            "Ask for fewer modes, or look for parts that are weakly held.",
        )
    progress.report(1.0, f"{count} modes")
    return _standard_form(1.0 / values, vectors, mass)


def mass_rank_bound(mass: sp.csr_matrix) -> int:
    """Return the number of dofs with mass, an upper bound for the number of modes."""
    return int((mass.diagonal() > 0.0).sum())


def _dense_modes(mass: sp.csr_matrix, count: int, factor: Factor) -> tuple[np.ndarray, np.ndarray]:
    """Return the modes of a body of few dofs from its full flexibility matrix, constraints included."""
    n = mass.shape[0]
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
    return values, with_largest_positive(vectors)


def with_largest_positive(modes: np.ndarray) -> np.ndarray:
    """Return modes (n, g) whose largest component is positive: signs that do not depend on the machine.

    If several components are equal apart from round-off, as in a symmetric body, the first one counts.
    """
    if not modes.shape[1]:
        return modes
    signs = np.ones(modes.shape[1])
    for k, mode in enumerate(modes.T):  # one by one, to save memory
        sizes = np.abs(mode)
        signs[k] = -1.0 if mode[np.argmax(sizes >= (1.0 - _SIZE_TOLERANCE) * sizes.max())] < 0 else 1.0
    return modes * signs
