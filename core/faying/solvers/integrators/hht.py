"""The HHT scheme for index-3 equations of motion, with error estimate and step control."""

from typing import Any, ClassVar

import numpy as np
import scipy.linalg as la

from faying.errors import SolveError
from faying.params import parameter
from faying.progress import Progress
from faying.solvers.integrators import (
    DynamicSystem,
    Forces,
    Integrator,
    Output,
    RunReport,
    State,
    integrators,
)

_GIVE_UP = 1e-9  # of the largest step: below it the run stops with a sentence


@integrators.register("hht")
class Hht(Integrator):
    """Hilbert-Hughes-Taylor after Negrut et al. (2007), thesis eqs. 2.55 to 2.61.

    Corrections to the print: eq. 2.56a lacks the h² before its bracket, and the constraint row of eq. 2.60
    is scaled by 1/(β h²), which keeps the condition number of the Jacobian independent of h. The local
    error of q is estimated by (1/12 + α²/4) h² (a₁ − a₀); true error over estimate is 1.01 on a pendulum.
    """

    kind: ClassVar[str] = "hht"
    title: ClassVar[str] = "HHT"

    alpha: float = parameter(
        -0.3, title="Numerical damping α", ge=-1.0 / 3.0, le=0.0,
        meaning="0 damps nothing, −1/3 most. With variable steps use −0.05 or less: 0 is unstable then.",
    )  # fmt: skip
    tolerance: float = parameter(
        1e-4, title="Error per step", quantity="length", gt=0.0,
        meaning="Allowed local error of the displacements (root mean square over the trial vectors, each "
        "measured at its largest displacement).",
    )  # fmt: skip
    first_step: float = parameter(
        1e-6, title="First step", quantity="time", gt=0.0, meaning="Length of the first time step."
    )
    largest_step: float = parameter(
        5e-4, title="Largest step", quantity="time", gt=0.0, meaning="No time step is longer than this."
    )
    fixed_step: bool = parameter(
        False, title="Fixed step", advanced=True,
        meaning="Always take the largest step and do not judge its error (the iterations still converge to it).",
    )  # fmt: skip
    iterations: int = parameter(
        10, title="Iterations per step", ge=2, le=100, advanced=True,
        meaning="Corrections before a step is tried again with a quarter of its length.",
    )  # fmt: skip

    def integrate(
        self, system: DynamicSystem, start: State, end_time: float, accepted: Output, progress: Progress
    ) -> RunReport:
        """Integrate until `end_time` is reached or passed; see `Integrator`."""
        report = RunReport()
        state, begun = start, start.time
        known = _unbalanced(system, state)  # (C_qᵀ λ − Q) at the last accepted state
        step = self.largest_step if self.fixed_step else min(self.first_step, self.largest_step)
        jacobian: _Jacobian | None = None
        while state.time < end_time * (1 - 1e-12):
            progress.report(
                (state.time - begun) / (end_time - begun),
                f"t = {state.time:.5g}",
                step=step,
                steps=report.steps,
            )
            trial, jacobian = self._try_step(system, state, known, step, jacobian, report)
            if trial is None:
                report.rejected_by_iteration += 1
                step, jacobian = step / 4, None
            else:
                error = 0.0 if self.fixed_step else self._error(system, state, trial, step)
                if error <= 1.0:
                    report.steps += 1
                    report.smallest_step = min(report.smallest_step, step)
                    report.largest_step = max(report.largest_step, step)
                    accepted(state, trial)
                    state, known = trial, _unbalanced(system, trial)
                    report.last_time = state.time
                else:
                    report.rejected_by_error += 1
                factor = float(np.clip(0.9 * max(error, 1e-12) ** (-1 / 3), 0.2, 2.0))
                if self.fixed_step:
                    step = self.largest_step
                elif error > 1.0 or factor < 0.9 or factor > 1.25:  # dead band: few changes, few Jacobians
                    step = min(step * factor, self.largest_step)
            if step < _GIVE_UP * self.largest_step:
                raise SolveError(
                    f"The time step became too small at t = {state.time:.6g}.",
                    "Allow a larger error per step, or soften the contact or friction stiffness.",
                )
        progress.report(1.0, f"t = {state.time:.5g}", steps=report.steps)
        return report

    def _try_step(
        self,
        system: DynamicSystem,
        state: State,
        known: np.ndarray,
        h: float,
        jacobian: "_Jacobian | None",
        report: RunReport,
    ) -> tuple[State | None, "_Jacobian | None"]:
        """Return (converged state or None, the Jacobian last used)."""
        alpha = self.alpha
        gamma, beta = (1 - 2 * alpha) / 2, (1 - alpha) ** 2 / 4
        time, n = state.time + h, system.n
        a, multipliers = state.a.copy(), state.multipliers.copy()
        forward_q = state.q + h * state.v + h * h * (0.5 - beta) * state.a
        forward_v = state.v + h * (1 - gamma) * state.a
        if jacobian is not None and not 0.8 < jacobian.step / h < 1.25:
            jacobian = None
        last = np.inf
        for _ in range(self.iterations):
            report.iterations += 1
            q, v = forward_q + beta * h * h * a, forward_v + gamma * h * a
            fresh = jacobian is None
            forces = system.forces(time, q, v, state.history, h, jacobian=fresh)
            rows = system.constraints(time, q) if system.n_constraints else None
            mass = system.mass(q)
            balance = -forces.force + (rows[1].T @ multipliers if rows else 0.0)
            residual = mass @ a / (1 + alpha) + balance - alpha / (1 + alpha) * known
            if fresh:
                report.jacobians += 1
                extra = system.inertia_and_constraint_jacobian(q, a / (1 + alpha), multipliers)
                jacobian = _Jacobian(alpha, beta, gamma, h, mass, forces, rows[1] if rows else None, extra)
            if not np.isfinite(residual).all():
                return None, None
            right = residual if rows is None else np.concatenate([residual, rows[0] / (beta * h * h)])
            change = -jacobian.solve(right)  # type: ignore[union-attr]
            a = a + change[:n]
            multipliers = multipliers + change[n:]
            size = self._norm(system, beta * h * h * change[:n])
            if size <= 1e-3 or (size <= 0.05 and size * size <= 1e-3 * last and last < np.inf):
                q, v = forward_q + beta * h * h * a, forward_v + gamma * h * a
                final = system.forces(time, q, v, state.history, h, jacobian=False)
                return State(time, q, v, a, multipliers, final.history), jacobian
            if size > 0.3 * last or (last < np.inf and not fresh and size > 0.1 * last):
                jacobian = None
            last = size
        return None, None

    def _error(self, system: DynamicSystem, before: State, after: State, h: float) -> float:
        return self._norm(system, (1 / 12 + self.alpha**2 / 4) * h * h * (after.a - before.a))

    def _norm(self, system: DynamicSystem, difference: np.ndarray) -> float:
        return float(np.linalg.norm(system.scales * difference) / (self.tolerance * np.sqrt(system.n)))


def _unbalanced(system: DynamicSystem, state: State) -> np.ndarray:
    """Return C_qᵀ λ − Q at an accepted state."""
    forces = system.forces(state.time, state.q, state.v, state.history, 0.0, jacobian=False).force
    if not system.n_constraints:
        return -forces
    return np.asarray(system.constraints(state.time, state.q)[1].T @ state.multipliers - forces)


class _Jacobian:
    """The factored iteration matrix of eq. 2.60 with the scaled constraint row."""

    def __init__(
        self,
        alpha: float,
        beta: float,
        gamma: float,
        h: float,
        mass: np.ndarray,
        forces: Forces,
        rows: np.ndarray | None,
        extra: np.ndarray | None,
    ) -> None:
        self.step = h
        matrix = mass / (1 + alpha)
        if forces.d_position is not None:
            matrix = matrix - beta * h * h * forces.d_position
        if forces.d_velocity is not None:
            matrix = matrix - gamma * h * forces.d_velocity
        if extra is not None:
            matrix = matrix + beta * h * h * extra
        if rows is not None:
            m = len(rows)
            matrix = np.block([[matrix, rows.T], [rows, np.zeros((m, m))]])
        self._factor: Any = la.lu_factor(matrix, check_finite=False)

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Return the correction for a residual."""
        return np.asarray(la.lu_solve(self._factor, right, check_finite=False))
