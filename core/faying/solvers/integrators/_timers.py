"""The time of a run by kind of work."""

from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.solvers.integrators import (
    Before,
    ContactForces,
    Delegated,
    DynamicSystem,
    Forces,
    StepTables,
    pressed,
)

_REST = "iteration"  # the integrator's own time


class Timers:
    """Sums up the time of a run by kind of work; the rest is the integrator's own.

    Args:
        seconds: by kind of work, from an earlier part of the run; changed in place.
    """

    def __init__(self, seconds: dict[str, float]) -> None:
        for what in ("contact", "forces", "constraints", "Jacobians", "output", _REST):
            seconds.setdefault(what, 0.0)
        self.seconds = seconds
        self._begun = perf_counter() - sum(seconds.values())

    def count_rest(self) -> None:
        """Bring the integrator's own time up to date."""
        claimed = sum(self.seconds.values()) - self.seconds[_REST]
        self.seconds[_REST] = perf_counter() - self._begun - claimed


class TimedSystem(Delegated):
    """A system with timed evaluations.

    Args:
        system: the system to be timed.
        timers: collect the times.
    """

    def __init__(self, system: DynamicSystem, timers: Timers) -> None:
        super().__init__(system)
        self._seconds = timers.seconds

    def inertia_forces(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return M a (n,)."""
        return self._system.inertia_forces(q, a)

    def residual(
        self, time: float, q: np.ndarray, v: np.ndarray, a: np.ndarray, multipliers: np.ndarray, history: Any
    ) -> np.ndarray | None:
        """Return all equations but contact (n + m,); their time counts as that of forces."""
        begun = perf_counter()
        found = self._system.residual(time, q, v, a, multipliers, history)
        self._seconds["forces"] += perf_counter() - begun
        return found

    def tangent(
        self,
        time: float,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        multipliers: np.ndarray,
        history: Any,
        weights: tuple[float, float, float],
    ) -> sp.csc_matrix | None:
        """Return the derivative of `residual`."""
        begun = perf_counter()
        found = self._system.tangent(time, q, v, a, multipliers, history, weights)
        self._seconds["Jacobians"] += perf_counter() - begun
        return found

    def tables(self) -> StepTables | None:
        """Return the tables; a step by them counts as the integrator's own time."""
        return self._system.tables()

    def forces(
        self, time: float, q: np.ndarray, v: np.ndarray, history: Any, *, jacobian: bool, **more: Any
    ) -> Forces:
        """Return the smooth forces."""
        begun = perf_counter()
        found: Forces = pressed(self._system).forces(time, q, v, history, jacobian=jacobian, **more)
        self._seconds["Jacobians" if jacobian else "forces"] += perf_counter() - begun
        return found

    def contact(
        self,
        q: np.ndarray,
        history: Any,
        time_step: float,
        *,
        jacobian: bool,
        before: Before | None = None,
        last: Any = None,
    ) -> ContactForces | None:
        """Return the forces of contact and friction."""
        begun = perf_counter()
        found = super().contact(q, history, time_step, jacobian=jacobian, before=before, last=last)
        self._seconds["contact"] += perf_counter() - begun
        return found

    def constraints(self, time: float, q: np.ndarray, history: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return C (m,) and C_q (m, n)."""
        begun = perf_counter()
        found = self._system.constraints(time, q, history)
        self._seconds["constraints"] += perf_counter() - begun
        return found

    def inertia_and_constraint_jacobian(
        self, time: float, q: np.ndarray, a: np.ndarray, multipliers: np.ndarray, history: Any
    ) -> np.ndarray | None:
        """Return (n, n) ∂(M a + C_qᵀ λ)/∂q."""
        begun = perf_counter()
        found = self._system.inertia_and_constraint_jacobian(time, q, a, multipliers, history)
        self._seconds["Jacobians"] += perf_counter() - begun
        return found
