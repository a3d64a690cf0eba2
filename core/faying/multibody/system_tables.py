"""A system whose members are all in tables, as the kernel takes it that makes a whole step."""

from typing import Any

import numpy as np

from faying.multibody.constraint_equations import ConstraintEquations, TermTables
from faying.multibody.history import History
from faying.multibody.part_table import PartTable
from faying.multibody.step_kernels import newmark_step

_NONE = np.zeros((0, 3))


class SystemTables:
    """The constants of a system, and space that is made once (`faying.solvers.integrators.StepTables`).

    Attributes:
        trial: (3, n) coordinates, velocities and accelerations of the last evaluation.
        multipliers: (m,) likewise.

    Args:
        gravity: (3,) in the inertial frame.
        parts: of the system.
        equations, terms: of its constraints.
    """

    def __init__(
        self, gravity: np.ndarray, parts: PartTable, equations: ConstraintEquations, terms: TermTables
    ) -> None:
        self._equations, self._terms = equations, terms
        n, size = parts.n, parts.n + len(terms.kept)
        self.trial = np.zeros((3, n))
        x = np.zeros(size)
        self.multipliers = x[n:]
        self._tables = (
            np.zeros((3, n)), self.trial, x, np.zeros(size), terms.space, terms.kept, terms.turning, np.array(gravity),
            *parts.arrays(), *terms.arrays,
        )  # fmt: skip

    def step(
        self, start: np.ndarray, end: np.ndarray, values: np.ndarray, new_values: np.ndarray, times: np.ndarray,
        points: int, chooses: bool, time: float, length: float, scheme: np.ndarray, weights: np.ndarray,
        factor: np.ndarray, pivots: np.ndarray, serves: bool, iterations: int, last: float, angles: np.ndarray,
    ) -> tuple[int, int, int, float]:  # fmt: skip
        """Take a step; arguments and answer as of `newmark_step`."""
        return newmark_step(
            start, end, values, new_values, times, points, chooses, time, length, scheme, weights, factor, pivots,
            serves, iterations, last, angles, self._terms.aims(time) if self._terms.wanting else _NONE, *self._tables,
        )  # fmt: skip

    def angles(self, history: History) -> np.ndarray:
        """Return (c,) the angles of a history that are counted."""
        return self._equations.turning_angles(history.angles)

    def history(self, last: History, angles: np.ndarray) -> History:
        """Return the history after the last one, with these angles (c,)."""
        new = self._equations.with_angles(last.angles, angles)
        return History(last.joints, new, last.force_angles, last.contacts)
