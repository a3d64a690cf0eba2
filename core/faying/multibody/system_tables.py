"""A system in tables, as the kernel takes it that makes a whole step."""

from collections.abc import Callable

import numpy as np

from faying.multibody.constraint_equations import ConstraintEquations
from faying.multibody.history import History
from faying.multibody.part_table import PartTable
from faying.multibody.step_kernels import newmark_step

_NONE = np.zeros((0, 3))


class SystemTables:
    """The constants of a system without contact, and space that is made once.

    Implements `faying.solvers.integrators.StepTables`.

    Attributes:
        trial: (3, n) coordinates, velocities and accelerations of the last evaluation.
        multipliers: (m,) likewise.

    Args:
        gravity: (3,) in the inertial frame.
        parts, equations: of the system.
        has_forces: whether there are forces between markers.
        add_forces, accepted: of the system: `add_member_forces` and `accepted`.
    """

    def __init__(
        self,
        gravity: np.ndarray,
        parts: PartTable,
        equations: ConstraintEquations,
        has_forces: bool,
        add_forces: Callable[..., None],
        accepted: Callable[..., History],
    ) -> None:
        self._equations, self._add_forces, self._accepted = equations, add_forces, accepted
        self._terms = terms = equations.tables()
        n, m = parts.n, equations.count
        self._n, self._asks = n, has_forces or terms.asks
        x, self._residual, self.trial = np.zeros(n + m), np.zeros(n + m), np.zeros((3, n))
        self.multipliers = x[n:]
        self._tables = (
            np.zeros((3, n)), self.trial, x, self._residual, terms.space, terms.kept, terms.turning,
            np.array(gravity), *parts.arrays(), *terms.arrays,
        )  # fmt: skip

    def step(
        self, start: np.ndarray, end: np.ndarray, values: np.ndarray, new_values: np.ndarray, times: np.ndarray,
        points: int, chooses: bool, time: float, length: float, scheme: np.ndarray, weights: np.ndarray,
        factor: np.ndarray, pivots: np.ndarray, serves: bool, said: int, iterations: int, last: float,
        angles: np.ndarray,
    ) -> tuple[int, bool, int, int, float]:  # fmt: skip
        """Take a step; arguments and answer as of `newmark_step`."""
        return newmark_step(
            start, end, values, new_values, times, points, chooses, time, length, scheme, weights, factor, pivots,
            serves, self._asks, said, iterations, last, angles,
            self._terms.aims(time) if self._terms.wanting else _NONE, *self._tables,
        )  # fmt: skip

    def add_members(self, time: float, history: History, by_q: float) -> None:
        """Add to the residual what forces, and constraints without terms, have in it."""
        (q, v, _), n = self.trial, self._n
        force, missed = self._residual[:n], self._residual[n:]
        self._add_forces(force, time, q, v, self.multipliers, history)
        if self._terms.asks:
            values = np.zeros(len(self._equations.is_kept))
            self._equations.add_others(time, q, self.multipliers, history.angles, force, values)
            missed += values[self._terms.kept] * (1.0 / by_q)

    def angles(self, history: History) -> np.ndarray:
        """Return (c,) the angles of a history that are counted."""
        return self._equations.turning_angles(history.angles)

    def accepted(
        self, time: float, q: np.ndarray, v: np.ndarray, multipliers: np.ndarray, last: History, angles: np.ndarray
    ) -> History:  # fmt: skip
        """Return the history of an accepted state after the last one, with these angles (c,)."""
        if self._asks:
            return self._accepted(time, q, last, v, multipliers)
        new = self._equations.with_angles(last.angles, angles)
        return History(last.joints, new, last.force_angles, last.contacts)
