"""Vibration modes with the interface nodes held, also of a body that these leave free to move."""

import numpy as np

from faying.linalg.modes import lowest_modes
from faying.progress import Progress
from faying.reduction.interior import InteriorProblem


class _DeflatedFlexibility:
    """The elastic flexibility P K⁺ Pᵀ of a body whose held interface nodes leave rigid motions free.

    P projects these motions out, so that Lanczos' method finds no zero frequencies. It has the methods of a
    `faying.linalg.factor.Factor`, over all dofs except those of the interface.
    """

    def __init__(self, interior: InteriorProblem, beside: np.ndarray) -> None:
        self._interior, self._beside = interior, beside
        self._motions = interior.free_motions
        self._momentum = np.asarray(interior.matrices.mass @ self._motions)
        self.n, self.backend = len(beside), interior.factor.backend
        self.entries = interior.factor.entries

    def solve(self, loads: np.ndarray, values: np.ndarray | None = None) -> np.ndarray:
        """Return the elastic displacements under loads (n,) or (n, k)."""
        full = np.zeros((self._interior.n_dofs, loads.reshape(self.n, -1).shape[1]))
        full[self._beside] = loads.reshape(self.n, -1)
        # The motions are zero at the interface, so loads there change nothing.
        answer = self._interior.solve(full - self._momentum @ (self._motions.T @ full))
        answer -= self._motions @ (self._momentum.T @ answer)
        return np.asarray(answer[self._beside].reshape(loads.shape))

    def solve_with_multipliers(
        self, loads: np.ndarray, values: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Not needed for modes."""
        raise NotImplementedError


def fixed_interface_modes(interior: InteriorProblem, count: int, progress: Progress) -> np.ndarray:
    """Return (n_dofs, count) mass-normalised elastic modes with all interface dofs held, lowest frequency first.

    Without interface nodes they are the elastic modes of the free body. Rigid motions that the interface nodes leave
    free are not among the modes.

    Args:
        interior: the held body.
        count: number of modes; fewer are returned if the body has fewer.
        progress: reports and cancels.

    Raises:
        SolveError: when Lanczos finds fewer modes than requested.
    """
    mass = interior.matrices.mass
    if interior.holds_body:
        beside, factor = interior.interior_dofs, interior.factor
        _, shapes = lowest_modes(mass[beside][:, beside], count, factor, progress)
    else:
        beside = np.setdiff1d(np.arange(interior.n_dofs), interior.interface_dofs)
        flexibility = _DeflatedFlexibility(interior, beside)
        _, shapes = lowest_modes(mass[beside][:, beside], count, flexibility, progress)
    modes = np.zeros((interior.n_dofs, shapes.shape[1]))
    modes[beside] = shapes
    return modes
