"""Vibration modes of the free body, through the factor of the held one."""

import numpy as np

from faying.linalg.modes import lowest_modes
from faying.progress import Progress
from faying.reduction.interior import InteriorProblem


class _FreeFlexibility:
    """The elastic flexibility of the free body, P K⁺ Pᵀ, with the methods of a `faying.linalg.factor.Factor`.

    P projects rigid body motions out, so that Lanczos' method finds no zero frequencies.
    """

    def __init__(self, interior: InteriorProblem, apart: bool) -> None:
        self._interior, self._apart = interior, apart
        self.n, self.backend = interior.n_dofs, interior.factor.backend
        self.entries = interior.factor.entries

    def solve(self, loads: np.ndarray, values: np.ndarray | None = None) -> np.ndarray:
        """Return the elastic displacements under loads (n,) or (n, k)."""
        return self._interior.solve_free(loads.reshape(self.n, -1), apart=self._apart).reshape(loads.shape)

    def solve_with_multipliers(
        self, loads: np.ndarray, values: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Not needed for modes."""
        raise NotImplementedError


def free_free_modes(
    interior: InteriorProblem, count: int, progress: Progress, *, apart: bool = False
) -> np.ndarray:
    """Return (n_dofs, count) mass-normalised elastic modes of the free body, lowest frequency first.

    Args:
        interior: the held body, whose factor is used; the free body is not factored.
        count: number of modes; fewer are returned if the body has fewer.
        progress: reports and cancels.
        apart: whether parts may move apart without any force; such motions are not among the modes either.

    Raises:
        SolveError: when Lanczos finds fewer modes than requested, or parts move apart although `apart` is false.
    """
    matrices = interior.matrices
    _, modes = lowest_modes(matrices.mass, count, _FreeFlexibility(interior, apart), progress)
    return modes
