"""Deformation responses: deformation of a body under harmonic loads, without its rigid body motions.

With D = α M + β K the modes are uncoupled, (ω_j² (1 + β s) + s² + α s) η_j = φ_jᵀ B at s = 2π i f. The modes up to some
frequency are computed; all others are represented together by two terms of their power series in
κ = (s² + α s) / (1 + β s), which is small against their ω_j²:

    X(s) = Φ diag(1 / (ω² (1 + β s) + s² + α s)) Φᵀ B + (R_0 − κ R_1) / (1 + β s),

with the residual flexibility R_0 = K⁺ B − Φ Ω⁻² Φᵀ B and its inertial correction R_1 = K⁺ M R_0. The error is below
(f / f_k)⁴ R_0, with f_k the lowest frequency beyond Φ. One factor and one modal analysis serve all frequencies.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from faying.errors import ModelError, SolveError
from faying.linalg.background import patiently
from faying.progress import PartialProgress, Progress
from faying.reduction.fixed_interface_modes import fixed_interface_modes
from faying.reduction.free_modes import free_free_modes
from faying.reduction.interior import InteriorProblem
from faying.units import amount

BEYOND = 3.0  # modes up to this multiple of the highest frequency of interest are computed
MOST_MODES = 2000
USUAL_DAMPING = 0.003  # default damping ratio at the end of a range
_FIRST = 60  # number of modes computed at first; enough for most ranges
_DEPENDENT = 1e-10  # eigenvalue in the mass, relative to the largest, of a dependent residual shape
_INFINITE = 1e-10  # dynamic stiffness of a mode, relative to ω², below which its response counts as infinite

Modes = Callable[[int, Progress], np.ndarray]


@dataclass(frozen=True)
class DeformationResponses:
    """Responses of a body to harmonic loads of unit size, by frequency.

    Attributes:
        modes: (n_dofs, k) vibration modes, orthonormal in the mass.
        squares: (k,) their ω², ascending.
        modal_loads: (k, p) Φᵀ B.
        residual: (n_dofs, p) R_0.
        inertial: (n_dofs, p) R_1.
        mass_damping, stiffness_damping: α and β of the damping matrix α M + β K.
    """

    modes: np.ndarray
    squares: np.ndarray
    modal_loads: np.ndarray
    residual: np.ndarray
    inertial: np.ndarray
    mass_damping: float = 0.0
    stiffness_damping: float = 0.0

    @cached_property
    def shapes(self) -> np.ndarray:
        """(n_dofs, k + 2 p) shapes that span the responses at all frequencies: modes, R_0, R_1."""
        return np.hstack([self.modes, self.residual, self.inertial])

    @property
    def frequencies(self) -> np.ndarray:
        """(k,) of the modes, in cycles per time unit."""
        return np.asarray(np.sqrt(self.squares) / (2.0 * np.pi))

    def amplitudes(self, frequency: float) -> np.ndarray:
        """Return (k + 2 p, p) complex amplitudes of the shapes under each load.

        Raises:
            SolveError: at a frequency of vibration without damping.
        """
        s = 2.0j * np.pi * frequency
        inertia, elastic = s * (s + self.mass_damping), 1.0 + s * self.stiffness_damping
        stiffness = self.squares * elastic + inertia
        infinite = np.abs(stiffness) < _INFINITE * self.squares
        if infinite.any():
            number = int(np.argmax(infinite))
            raise SolveError(
                f"Without damping the response at the frequency {amount(frequency, 'frequency', 6)} has no "
                f"bounds: it is that of vibration mode {number + 1}.",
                "Give some damping, or take another frequency.",
            )
        each = np.eye(self.modal_loads.shape[1]) / elastic
        return np.vstack([self.modal_loads / stiffness[:, None], each, -inertia / elastic * each])

    def at(self, frequency: float) -> np.ndarray:
        """Return X (n_dofs, p): complex displacements under each load at a frequency; real ones at zero.

        Raises:
            SolveError: at a frequency of vibration without damping.
        """
        return np.asarray(self.shapes @ self.amplitudes(frequency))

    def transfer(self, rows: np.ndarray, frequencies: np.ndarray) -> np.ndarray:
        """Return (n_frequencies, n_rows, p) complex displacements of some dofs.

        Args:
            rows: dofs.
            frequencies: in cycles per time unit.

        Raises:
            SolveError: at a frequency of vibration without damping.
        """
        shapes = self.shapes[rows]
        found = np.empty((len(frequencies), len(rows), self.modal_loads.shape[1]), complex)
        for i, frequency in enumerate(frequencies):
            found[i] = shapes @ self.amplitudes(float(frequency))
        return found


def free_responses(
    interior: InteriorProblem,
    loads: np.ndarray,
    highest: float,
    progress: Progress,
    *,
    mass_damping: float = 0.0,
    stiffness_damping: float = 0.0,
) -> DeformationResponses:
    """Return the deformation responses of the free body, in the Buckens frame.

    The part of the loads that accelerates the body as a whole is taken out, B − M V_0 V_0ᵀ B, so that the response at
    frequency zero is finite (Makhavikou 2015, eq. 3.16).

    Args:
        interior: the body, whose factor is used.
        loads: B (n_dofs, p).
        highest: frequency of interest, in cycles per time unit.
        progress: reports and cancels.
        mass_damping, stiffness_damping: α and β of α M + β K.

    Raises:
        ModelError: when there are too many modes up to that frequency.
        SolveError: when parts of the body can separate.
    """
    modes, squares = modes_up_to(interior, BEYOND * highest, free_modes(interior), progress)
    return _responses(
        interior, loads, modes, squares, interior.solve_free, mass_damping, stiffness_damping, progress
    )


def held_responses(
    interior: InteriorProblem,
    loads: np.ndarray,
    highest: float,
    progress: Progress,
    *,
    mass_damping: float = 0.0,
    stiffness_damping: float = 0.0,
) -> DeformationResponses:
    """Return the deformation responses of the body with its interface dofs held; as `free_responses`.

    Rigid motions that the interface dofs leave free are left out as well.
    """
    motions, mass = interior.free_motions, interior.matrices.mass

    def solve(loads: np.ndarray) -> np.ndarray:
        if motions.shape[1]:
            loads = loads - mass @ (motions @ (motions.T @ loads))
        answer = interior.solve(loads)
        return np.asarray(answer - motions @ (motions.T @ (mass @ answer)))

    modes, squares = modes_up_to(interior, BEYOND * highest, held_modes(interior), progress)
    return _responses(interior, loads, modes, squares, solve, mass_damping, stiffness_damping, progress)


def usual_stiffness_damping(highest: float) -> float:
    """Return β of a damping matrix β K with the default damping ratio at a frequency."""
    return 2.0 * USUAL_DAMPING / (2.0 * np.pi * highest)


def response_basis(responses: DeformationResponses, mass: Any, more: np.ndarray | None = None) -> np.ndarray:
    """Return (n_dofs, k + m) a basis, orthonormal in the mass, of modes and residual shapes; m ≤ 2 p without `more`.

    The body projected on it has these modes and residual flexibilities, and may have any damping.

    Args:
        responses: to some loads.
        mass: M, sparse (n_dofs, n_dofs).
        more: further shapes (n_dofs, q) that the basis is to span.
    """
    modes = responses.modes
    residual = np.hstack([responses.residual, responses.inertial])
    if more is not None:
        residual = np.hstack([residual, more - modes @ (modes.T @ (mass @ more))])
    gram = residual.T @ (mass @ residual)
    sizes = np.sqrt(np.maximum(np.diag(gram), 0.0))
    scale = np.where(sizes > 0.0, 1.0 / np.where(sizes > 0.0, sizes, 1.0), 0.0)
    values, vectors = np.linalg.eigh(scale[:, None] * gram * scale)
    kept = values > _DEPENDENT * values.max(initial=0.0)
    return np.hstack([modes, residual @ (scale[:, None] * vectors[:, kept] / np.sqrt(values[kept]))])


def free_modes(interior: InteriorProblem) -> Modes:
    """Return the function that computes the lowest modes of the free body."""
    return lambda count, progress: free_free_modes(interior, count, progress)


def held_modes(interior: InteriorProblem) -> Modes:
    """Return the function that computes the lowest modes with the interface dofs held."""
    return lambda count, progress: fixed_interface_modes(interior, count, progress)


def modes_up_to(
    interior: InteriorProblem, limit: float, find: Modes, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Return (modes (n_dofs, k), ω² (k,)) of all vibration modes up to a frequency; k may be 0.

    Args:
        interior: the body.
        limit: frequency in cycles per time unit.
        find: function from a number to so many of the lowest modes, or fewer if there are fewer.
        progress: reports and cancels.

    Raises:
        ModelError: when there are more than `MOST_MODES`.
    """
    stiffness, count = interior.matrices.stiffness, _FIRST
    while True:
        modes = find(count, progress)
        squares = np.einsum("ij,ij->j", modes, stiffness @ modes)
        reached = np.sqrt(max(squares[-1], 0.0)) / (2.0 * np.pi) if len(squares) else np.inf
        if len(squares) < count or reached > limit:
            kept = squares <= (2.0 * np.pi * limit) ** 2
            return modes[:, kept], squares[kept]
        if count == MOST_MODES:
            raise ModelError(
                f"The body has more than {MOST_MODES} vibration modes up to the frequency "
                f"{amount(limit, 'frequency', 6)}, which is "
                f"{BEYOND:g} times the end of the range.",
                "Take a narrower range of frequencies.",
            )
        # Mode numbers grow about in proportion to frequency.
        count = min(int(np.ceil(count * np.clip(1.2 * limit / reached, 1.5, 4.0))), MOST_MODES)


def _responses(
    interior: InteriorProblem,
    loads: np.ndarray,
    modes: np.ndarray,
    squares: np.ndarray,
    solve: Callable[[np.ndarray], np.ndarray],
    mass_damping: float,
    stiffness_damping: float,
    progress: Progress,
) -> DeformationResponses:
    mass = interior.matrices.mass
    modal_loads = modes.T @ loads

    def residuals() -> tuple[np.ndarray, np.ndarray]:
        residual = solve(loads) - modes @ (modal_loads / squares[:, None])
        inertial = solve(mass @ residual)
        return residual, inertial - modes @ (modes.T @ (mass @ inertial))

    residual, inertial = patiently(
        residuals, PartialProgress(progress, 0.9, 1.0), 0.0, "residual flexibility"
    )
    return DeformationResponses(
        modes, squares, modal_loads, residual, inertial, mass_damping, stiffness_damping
    )
