"""The HHT scheme for index-3 equations of motion, with error estimate and step control."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.linalg as la

from faying.errors import SolveError
from faying.params import parameter
from faying.progress import Progress
from faying.solvers.integrators import (
    DynamicSystem,
    Integrator,
    Output,
    RunReport,
    State,
    integrators,
)
from faying.solvers.newton import search_line

_GIVE_UP = 1e-9  # of the largest step: below it the run stops with a sentence


@integrators.register("hht")
class Hht(Integrator):
    """Hilbert-Hughes-Taylor after Negrut et al. (2007), thesis eqs. 2.55 to 2.61.

    Corrections to the print: eq. 2.56a lacks the h² before its bracket, and the constraint row of eq. 2.60
    is scaled by 1/(β h²), which keeps the condition number of the Jacobian independent of h. The local
    error of q is estimated by (1/12 + α²/4) h² (a₁ − a₀); true error over estimate is 1.01 on a pendulum.

    One change of the scheme: forces of contact are taken at the end of the step alone, while eq. 2.57
    weighs those of the last step with −α. A pair that was deep in contact and is open now would still push,
    which feeds energy at every opening: on the friction bar (40 joint modes, steps of 10 µs) the printed
    form reaches 476 mm where 0.75 mm is right.
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
        25, title="Iterations per step", ge=2, le=100, advanced=True,
        meaning="Corrections before a step is tried again with a quarter of its length.",
    )  # fmt: skip

    def integrate(
        self, system: DynamicSystem, start: State, end_time: float, accepted: Output, progress: Progress
    ) -> RunReport:
        """Integrate until `end_time` is reached or passed; see `Integrator`."""
        report = RunReport()
        state, begun = start, start.time
        known = _unbalanced(system, state)
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
            if trial is None or jacobian is None:
                report.rejected_by_iteration += 1
                step /= 4
            else:
                error = 0.0 if self.fixed_step else self._error(system, state, trial.state, jacobian)
                if error <= 1.0:
                    report.steps += 1
                    report.smallest_step = min(report.smallest_step, step)
                    report.largest_step = max(report.largest_step, step)
                    accepted(state, trial.state)
                    state, known = trial.state, trial.unbalanced
                    report.last_time = state.time
                else:
                    report.rejected_by_error += 1
                factor = float(np.clip(0.9 * max(error, 1e-12) ** (-1 / 3), 0.2, 2.0))
                if error > 1.0 or factor < 0.9 or factor > 1.25:  # dead band: few changes, few Jacobians
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
    ) -> "tuple[_Trial | None, _Jacobian | None]":
        """Return (converged trial or None, the Jacobian last used)."""
        step = _Step(system, state, known, h, self.alpha)
        unknowns = np.concatenate([state.a, state.multipliers])
        if jacobian is not None and not 0.8 < jacobian.step / h < 1.25:
            jacobian = None
        residual = step.residual(unknowns)
        last = np.inf
        for _ in range(self.iterations):
            if not np.isfinite(residual).all():
                return None, None
            report.iterations += 1
            if jacobian is None:
                report.jacobians += 1
                jacobian = step.jacobian(unknowns)
            change = jacobian.solve(-residual)
            size = self._norm(system, step.beta * h * h * change[: system.n])
            converged = size <= 1e-3 or (size <= 0.05 and size * size <= 1e-3 * last < np.inf)
            if converged or system.n_constraints:
                unknowns = unknowns + change
                residual = step.residual(unknowns)
            else:
                # Contact makes full corrections cycle between sets of closed pairs: search along them.
                length, residual, _ = search_line(step.residual, unknowns, change, float(change @ residual))
                unknowns = unknowns + length * change
                jacobian = jacobian if length == 1.0 else None
            if converged and jacobian is not None:
                return step.trial(unknowns), jacobian
            if size > 0.1 * last:
                jacobian = None
            last = size
        return None, None

    def _error(self, system: DynamicSystem, before: State, after: State, jacobian: "_Jacobian") -> float:
        """Return the local error over the tolerance.

        For components too fast to be followed, h² (a₁ − a₀) grows with (ω h)² although the scheme damps
        them out. As stiff solvers do (Hairer and Wanner 1996, IV.8), the estimate is passed through the
        iteration matrix, which leaves slow components alone and bounds the fast ones by their amplitude.
        """
        h = after.time - before.time
        estimate = (1 / 12 + self.alpha**2 / 4) * h * h * (after.a - before.a)
        right = np.zeros(system.n + system.n_constraints)
        right[: system.n] = system.mass(after.q) @ estimate / (1 + self.alpha)
        return self._norm(system, jacobian.solve(right)[: system.n])

    def _norm(self, system: DynamicSystem, difference: np.ndarray) -> float:
        return float(np.linalg.norm(system.scales * difference) / (self.tolerance * np.sqrt(system.n)))


def _unbalanced(system: DynamicSystem, state: State) -> np.ndarray:
    """Return C_qᵀ λ − Q at an accepted state, without contact."""
    forces = system.forces(state.time, state.q, state.v, state.history, 0.0, jacobian=False).force
    if not system.n_constraints:
        return -forces
    return np.asarray(system.constraints(state.time, state.q)[1].T @ state.multipliers - forces)


@dataclass(frozen=True)
class _Trial:
    """A converged step: the state, and C_qᵀ λ − Q there for the next one."""

    state: State
    unbalanced: np.ndarray


class _Step:
    """The discretised equations of one step over the unknowns (a, λ)."""

    def __init__(
        self, system: DynamicSystem, state: State, known: np.ndarray, h: float, alpha: float
    ) -> None:
        self._system, self._state, self._known = system, state, known
        self._h, self._alpha = h, alpha
        self.gamma, self.beta = (1 - 2 * alpha) / 2, (1 - alpha) ** 2 / 4
        self._time = state.time + h
        self._forward_q = state.q + h * state.v + h * h * (0.5 - self.beta) * state.a
        self._forward_v = state.v + h * (1 - self.gamma) * state.a
        self._last: tuple[np.ndarray, np.ndarray, Any] | None = None

    def _kinematics(self, unknowns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        a, multipliers = unknowns[: self._system.n], unknowns[self._system.n :]
        q = self._forward_q + self.beta * self._h**2 * a
        return a, multipliers, q, self._forward_v + self.gamma * self._h * a

    def residual(self, unknowns: np.ndarray) -> np.ndarray:
        """Return the residual of eq. 2.57, contact at the end of the step, and of the scaled constraints."""
        system, alpha = self._system, self._alpha
        a, multipliers, q, v = self._kinematics(unknowns)
        forces = system.forces(self._time, q, v, self._state.history, self._h, jacobian=False)
        balance = -forces.force
        rows = system.constraints(self._time, q) if system.n_constraints else None
        if rows is not None:
            balance = balance + rows[1].T @ multipliers
        self._last = (unknowns, balance, forces.history)
        inertia = system.mass(q) @ a
        if forces.contact is not None:
            inertia = inertia - forces.contact
        residual = inertia / (1 + alpha) + balance - alpha / (1 + alpha) * self._known
        if rows is None:
            return np.asarray(residual)
        return np.concatenate([residual, rows[0] / (self.beta * self._h**2)])

    def jacobian(self, unknowns: np.ndarray) -> "_Jacobian":
        """Return the factored iteration matrix at the unknowns."""
        system, alpha, h = self._system, self._alpha, self._h
        a, multipliers, q, v = self._kinematics(unknowns)
        forces = system.forces(self._time, q, v, self._state.history, h, jacobian=True)
        matrix = system.mass(q) / (1 + alpha)
        for part in (
            forces.d_position,
            forces.d_contact / (1 + alpha) if forces.d_contact is not None else None,
        ):
            matrix = matrix if part is None else matrix - self.beta * h * h * part
        if forces.d_velocity is not None:
            matrix = matrix - self.gamma * h * forces.d_velocity
        extra = system.inertia_and_constraint_jacobian(q, a / (1 + alpha), multipliers)
        if extra is not None:
            matrix = matrix + self.beta * h * h * extra
        if system.n_constraints:
            rows = system.constraints(self._time, q)[1]
            m = len(rows)
            matrix = np.block([[matrix, rows.T], [rows, np.zeros((m, m))]])
        return _Jacobian(matrix, h)

    def trial(self, unknowns: np.ndarray) -> _Trial:
        """Return the state at the unknowns, which the last residual was evaluated at."""
        a, multipliers, q, v = self._kinematics(unknowns)
        assert self._last is not None and self._last[0] is unknowns
        _, balance, history = self._last
        return _Trial(State(self._time, q, v, a, multipliers, history), balance)


class _Jacobian:
    """The factored iteration matrix of eq. 2.60 with the scaled constraint row."""

    def __init__(self, matrix: np.ndarray, step: float) -> None:
        self.step = step
        self._factor: Any = la.lu_factor(matrix, check_finite=False)

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Return the correction for a residual."""
        return np.asarray(la.lu_solve(self._factor, right, check_finite=False))
