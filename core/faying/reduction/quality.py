"""Measures of a reduction's quality; plain functions over arrays and reduced bodies."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.linalg as la

from faying.fem.matrices import StructuralMatrices
from faying.progress import Progress
from faying.reduction.body import ReducedBody
from faying.reduction.free_modes import free_free_modes
from faying.reduction.interior import InteriorProblem

STEPS_PER_PERIOD = 20
_MASSLESS = 1e-12


def relative_frequency_differences(reduced: np.ndarray, full: np.ndarray) -> np.ndarray:
    """Return (n,) NRED = (f_reduced − f_full) / f_full of modes of the same number; not negative for a Ritz basis.

    Args:
        reduced, full: frequencies, ascending; n is the smaller of their numbers.
    """
    count = min(len(reduced), len(full))
    return np.asarray(reduced[:count] / full[:count] - 1.0)


def modal_assurance(first: np.ndarray, second: np.ndarray, metric: Any | None = None) -> np.ndarray:
    """Return (a, b) modal assurance criterion of modes (n, a) and (n, b): 1 for the same shape, 0 for orthogonal.

    Args:
        first, second: modes over the same dofs.
        metric: (n, n) mass, for the mass-weighted criterion; plain products without it.
    """
    weighted = second if metric is None else metric @ second
    cross = np.asarray(first.T @ weighted) ** 2
    own_first = np.einsum("ij,ij->j", first, first if metric is None else metric @ first)
    own_second = np.einsum("ij,ij->j", second, weighted)
    return np.asarray(cross / np.outer(own_first, own_second))


def subspace_assurance(
    first: np.ndarray, second: np.ndarray, frequencies: np.ndarray, metric: Any, apart: float = 1e-3
) -> np.ndarray:
    """Return (a,) modal assurance of modes (n, a) against modes (n, b), the same for all modes of one frequency.

    Modes of a repeated frequency are arbitrary combinations of each other, and so is their modal assurance. Therefore
    their subspaces are compared: cos² of the largest principal angle between those of each group (Golub and Van Loan
    2013, section 6.4.3). For a single mode it is its modal assurance. It is 0 for modes missing in the second set.

    Args:
        first, second: in the same order, orthonormal in the metric.
        frequencies: (a,) of the first ones, ascending.
        metric: (n, n) mass.
        apart: relative difference above which neighbouring frequencies count as different.
    """
    if not len(frequencies):
        return np.zeros(0)
    cross = np.asarray(first.T @ (metric @ second))
    starts = np.flatnonzero(np.concatenate([[True], np.diff(frequencies) > apart * frequencies[1:]]))
    found = np.zeros(len(frequencies))
    for start, stop in zip(starts, [*starts[1:], len(frequencies)], strict=True):
        if stop <= cross.shape[1]:
            found[start:stop] = la.svdvals(cross[start:stop, start:stop]).min() ** 2
    return found


def condition_number(matrix: np.ndarray) -> float:
    """Return the condition of a symmetric positive definite matrix scaled to a unit diagonal.

    The scaling takes out the arbitrary lengths of the trial vectors. It is infinite for a singular matrix.
    """
    if not len(matrix):
        return 1.0
    diagonal = np.diag(matrix)
    if not (diagonal > 0.0).all():  # a zero-energy motion, but for round-off
        return float("inf")
    scale = 1.0 / np.sqrt(diagonal)
    values = la.eigvalsh(scale[:, None] * matrix * scale)
    return float(values[-1] / values[0]) if values[0] > 0.0 else float("inf")


def effective_masses(modes: np.ndarray, mass: Any, rigid: np.ndarray) -> np.ndarray:
    """Return (g, 6) effective masses (φᵀ M r)² / φᵀ M φ of modes for each rigid body motion.

    Summed over all modes of a held body they are the mass that moves with its support.

    Args:
        modes: (n, g) with the support at rest.
        mass: M (n, n).
        rigid: (n, 6) rigid body motions about the point of interest, displacements and rotations of size one.
    """
    weighted = np.asarray(mass @ modes)
    participation = weighted.T @ rigid
    return np.asarray(participation**2 / np.einsum("ij,ij->j", modes, weighted)[:, None])


def free_frequencies(
    interior: InteriorProblem, count: int, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Return (frequencies (count,), modes (n_dofs, count)) of the free full model, without rigid body motions.

    Zero-energy motions of parts that only contact holds (`InteriorProblem.loose_motions`) are left out too.
    """
    modes = free_free_modes(interior, count, progress, apart=True)
    return _frequencies(modes, interior.matrices), modes


def reduced_frequencies(body: ReducedBody, held: Sequence[str] = ()) -> tuple[np.ndarray, np.ndarray]:
    """Return (frequencies, shapes (r, k)) of a reduced body, free or with interface nodes held at rest.

    Args:
        body: in any frame; a body clamped to an interface is held there already.
        held: names of interface nodes that are at rest as well.
    """
    rows = [body.interfaces[name] for name in held if name != body.frame]
    space = np.eye(body.n_coordinates)
    if rows:
        motion = np.vstack(rows)
        # Scaled, so that a rotation counts as much as a displacement.
        space = la.null_space(motion / np.linalg.norm(motion, axis=1, keepdims=True), rcond=1e-9)
    frequencies, shapes = ritz_modes(space.T @ body.stiffness @ space, space.T @ body.mass @ space)
    return frequencies, space @ shapes


def ritz_modes(stiffness: np.ndarray, mass: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (frequencies (g,), mass-normalised modes (r, g)) of reduced matrices (r, r), lowest first.

    There are as many as directions with a mass: a massless end of a spring has none of its own.
    """
    if not len(mass):
        return np.zeros(0), np.zeros((0, 0))
    try:
        squares, shapes = la.eigh(stiffness, mass)
    except la.LinAlgError:
        # M φ = μ (K + s M) φ with μ = 1 / (ω² + s), which is zero of directions without mass.
        shift = np.trace(stiffness) / np.trace(mass)
        inverse, shapes = la.eigh(mass, stiffness + shift * mass)
        heavy = inverse * shift > _MASSLESS
        inverse, shapes = inverse[heavy][::-1], shapes[:, heavy][:, ::-1]
        squares, shapes = 1.0 / inverse - shift, shapes / np.sqrt(inverse)
    return np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi), shapes


def static_error(reduced: np.ndarray, full: np.ndarray) -> float:
    """Return ‖u_reduced − u_full‖ / ‖u_full‖ of displacements, gaps or any other field of one load."""
    return float(np.linalg.norm(reduced - full) / np.linalg.norm(full))


def transfer_error(reduced: np.ndarray, full: np.ndarray) -> np.ndarray:
    """Return (k,) ε = ‖H − Ĥ‖ / ‖H‖ of transfer functions at each frequency (Makhavikou 2015, eq. 2.158).

    The norm is Frobenius' over inputs and outputs, so large entries dominate.

    Args:
        reduced, full: (k, outputs, inputs) complex.
    """
    return np.asarray(np.linalg.norm(reduced - full, axis=(1, 2)) / np.linalg.norm(full, axis=(1, 2)))


def modal_transfer(
    frequencies: np.ndarray,
    shapes: np.ndarray,
    at: np.ndarray,
    *,
    mass_damping: float = 0.0,
    stiffness_damping: float = 0.0,
) -> np.ndarray:
    """Return (k, p, p) complex transfer functions between dofs, by superposition of mass-normalised modes.

    Args:
        frequencies: (m,) of the modes.
        shapes: (p, m) motion of the dofs in each.
        at: (k,) frequencies; none may be that of an undamped mode.
        mass_damping, stiffness_damping: α and β of α M + β K.
    """
    s = 2.0j * np.pi * at[:, None]
    squares = (2.0 * np.pi * frequencies) ** 2
    stiffness = squares * (1.0 + stiffness_damping * s) + s * (s + mass_damping)
    return np.asarray((shapes / stiffness[:, None, :]) @ shapes.T)


def admissible_step(highest_frequency: float) -> float:
    """Return the time step h = 1 / (20 f) that resolves the highest frequency f of a body (Makhavikou 2015, 4.2.4)."""
    return 1.0 / (STEPS_PER_PERIOD * highest_frequency)


def _frequencies(modes: np.ndarray, matrices: StructuralMatrices) -> np.ndarray:
    squares = np.einsum("ij,ij->j", modes, matrices.stiffness @ modes)
    squares /= np.einsum("ij,ij->j", modes, matrices.mass @ modes)
    return np.asarray(np.sqrt(squares) / (2.0 * np.pi))
