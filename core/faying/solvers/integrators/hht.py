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
    Forces,
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

    One change of the scheme: contact is kept apart. Eq. 2.57 weighs its force of the last step with −α and
    Newmark's formulas carry its acceleration on, so that a pair which was deep in contact still pushes when
    it is open; that feeds energy at every bounce (restitution above one), and on the friction bar with 40
    joint modes and steps of 10 µs the printed form reaches 476 mm where 0.75 mm is right. Here contact acts
    with its force at the end of the step alone, q₁ gains h²/2 and v₁ gains h of its acceleration: a stiff
    bounce within a step has restitution one at most, and equilibrium stays equilibrium. (The idea of
    separating smooth and impulsive parts is that of Chen, Acary, Virlez and Brüls 2013.)
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
        15, title="Iterations per step", ge=2, le=100, advanced=True,
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
        inertia = _Inertia()
        contact = np.zeros(system.n)  # acceleration by contact in the last accepted state
        while state.time < end_time * (1 - 1e-12):
            progress.report(
                (state.time - begun) / (end_time - begun),
                f"t = {state.time:.5g}",
                step=step,
                steps=report.steps,
            )
            trial, jacobian = self._try_step(
                _Step(system, state, known, contact, step, self.alpha, inertia), jacobian, report
            )
            if trial is None or jacobian is None:
                report.rejected_by_iteration += 1
                step /= 4
            else:
                change = step**2 * (trial.state.a + trial.contact - state.a - contact)
                error = 0.0 if self.fixed_step else self._error(system, trial.state.q, change, jacobian)
                if error <= 1.0:
                    report.steps += 1
                    report.smallest_step = min(report.smallest_step, step)
                    report.largest_step = max(report.largest_step, step)
                    accepted(state, trial.state)
                    state, known, contact = trial.state, trial.unbalanced, trial.contact
                    report.last_time = state.time
                else:
                    report.rejected_by_error += 1
                order = 3 if error <= 1.0 else 2  # a step that fails met contact: its error is of lower order
                factor = float(np.clip(0.9 * max(error, 1e-12) ** (-1 / order), 0.1, 2.0))
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
        self, step: "_Step", jacobian: "_Jacobian | None", report: RunReport
    ) -> "tuple[_Trial | None, _Jacobian | None]":
        """Return (converged trial or None, the Jacobian last used)."""
        system, h = step.system, step.length
        unknowns = step.guess()
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
                length, residual, _ = search_line(
                    step.residual, unknowns, change, float(change @ residual), most=8
                )
                unknowns = unknowns + length * change
                jacobian = jacobian if length == 1.0 else None
            # On a stiff stop a small displacement is a large force: what is out of balance must not matter either.
            if converged and jacobian is not None and self._norm(system, step.drift(residual)) <= 0.3:
                return step.trial(unknowns), jacobian
            if converged or size > 0.1 * last:
                jacobian = None
            last = size
        return None, None

    def _error(
        self, system: DynamicSystem, q: np.ndarray, change: np.ndarray, jacobian: "_Jacobian"
    ) -> float:
        """Return the local error over the tolerance from the change h² (a₁ − a₀) within a step.

        For components too fast to be followed, h² (a₁ − a₀) grows with (ω h)² although the scheme damps
        them out. As stiff solvers do (Hairer and Wanner 1996, IV.8), the estimate is passed through the
        iteration matrix, which leaves slow components alone and bounds the fast ones by their amplitude.
        """
        estimate = (1 / 12 + self.alpha**2 / 4) * change
        right = np.zeros(system.n + system.n_constraints)
        right[: system.n] = system.mass(q) @ estimate / (1 + self.alpha)
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
    """A converged step: the state, C_qᵀ λ − Q there for the next one, and the acceleration by contact."""

    state: State
    unbalanced: np.ndarray
    contact: np.ndarray


class _Inertia:
    """Accelerations by forces; factors the mass when it is another one than before."""

    def __init__(self) -> None:
        self._mass: np.ndarray | None = None
        self._factor: Any = None

    def acceleration(self, mass: np.ndarray, force: np.ndarray) -> np.ndarray:
        """Return M⁻¹ f."""
        if mass is not self._mass:
            self._mass, self._factor = mass, la.cho_factor(mass, check_finite=False)
        return np.asarray(la.cho_solve(self._factor, force, check_finite=False))


@dataclass(frozen=True)
class _Point:
    """Where the unknowns of a step lead: kinematics and forces there."""

    unknowns: np.ndarray
    q: np.ndarray
    v: np.ndarray
    mass: np.ndarray
    balance: np.ndarray
    contact: np.ndarray
    contact_force: np.ndarray
    history: Any


class _Step:
    """The discretised equations of one step over the unknowns (a, λ).

    With contact, the unknown a is the one that Newmark's formula for q₁ alone would see, a = a_s + a_c/(2β),
    of a smooth part a_s and one by contact a_c.
    """

    def __init__(
        self,
        system: DynamicSystem,
        state: State,
        known: np.ndarray,
        contact: np.ndarray,
        length: float,
        alpha: float,
        inertia: _Inertia,
    ) -> None:
        self.system, self._state, self._known, self._contact = system, state, known, contact
        self.length, self._alpha, self._inertia = length, alpha, inertia
        self.gamma, self.beta = (1 - 2 * alpha) / 2, (1 - alpha) ** 2 / 4
        self._share = 1 / (2 * self.beta)  # of a contact acceleration in the unknown a
        self._time = state.time + length
        self._forward_q = state.q + length * state.v + length**2 * (0.5 - self.beta) * state.a
        self._forward_v = state.v + length * (1 - self.gamma) * state.a
        self._last: _Point | None = None

    def guess(self) -> np.ndarray:
        """Return the unknowns to start from: those of the last step, with its contact."""
        return np.concatenate([self._state.a + self._share * self._contact, self._state.multipliers])

    def _at(self, unknowns: np.ndarray, jacobian: bool = False) -> tuple[_Point, Forces]:
        system, h = self.system, self.length
        a, multipliers = unknowns[: system.n], unknowns[system.n :]
        q = self._forward_q + self.beta * h**2 * a
        v = self._forward_v + self.gamma * h * a
        mass, none = system.mass(q), np.zeros(system.n)
        forces = system.forces(self._time, q, v, self._state.history, h, jacobian=jacobian)
        force = none if forces.contact is None else forces.contact
        by_contact = none if forces.contact is None else self._inertia.acceleration(mass, force)
        if forces.contact is not None and system.has_damping:
            v = v + (1 - self._share * self.gamma) * h * by_contact
            forces = system.forces(self._time, q, v, self._state.history, h, jacobian=jacobian)
        elif forces.contact is not None:
            v = v + (1 - self._share * self.gamma) * h * by_contact
        balance = -forces.force
        if system.n_constraints:
            balance = balance + system.constraints(self._time, q)[1].T @ multipliers
        return _Point(unknowns, q, v, mass, balance, by_contact, force, forces.history), forces

    def residual(self, unknowns: np.ndarray) -> np.ndarray:
        """Return the residual of eq. 2.57, contact at the end of the step, and of the scaled constraints."""
        system, alpha = self.system, self._alpha
        point, _ = self._at(unknowns)
        self._last = point
        inertia = point.mass @ unknowns[: system.n] - self._share * point.contact_force
        residual = inertia / (1 + alpha) + point.balance - alpha / (1 + alpha) * self._known
        if not system.n_constraints:
            return np.asarray(residual)
        violation = system.constraints(self._time, point.q)[0]
        return np.concatenate([residual, violation / (self.beta * self.length**2)])

    def jacobian(self, unknowns: np.ndarray) -> "_Jacobian":
        """Return the factored iteration matrix at the unknowns."""
        system, alpha, h = self.system, self._alpha, self.length
        point, forces = self._at(unknowns, jacobian=True)
        matrix = point.mass / (1 + alpha)
        if forces.d_position is not None:
            matrix = matrix - self.beta * h * h * forces.d_position
        if forces.d_contact is not None:
            matrix = matrix - self.beta * h * h * self._share / (1 + alpha) * forces.d_contact
        if forces.d_velocity is not None:
            matrix = matrix - self.gamma * h * forces.d_velocity
        a, multipliers = unknowns[: system.n], unknowns[system.n :]
        extra = system.inertia_and_constraint_jacobian(point.q, a / (1 + alpha), multipliers)
        if extra is not None:
            matrix = matrix + self.beta * h * h * extra
        if system.n_constraints:
            rows = system.constraints(self._time, point.q)[1]
            m = len(rows)
            matrix = np.block([[matrix, rows.T], [rows, np.zeros((m, m))]])
        return _Jacobian(matrix, h)

    def drift(self, residual: np.ndarray) -> np.ndarray:
        """Return (n,) how far the forces out of balance would move the system within the step."""
        point = self._last
        assert point is not None
        free = self._inertia.acceleration(point.mass, residual[: self.system.n])
        return np.asarray((1 + self._alpha) * self.length**2 * free)

    def trial(self, unknowns: np.ndarray) -> _Trial:
        """Return the state at the unknowns, which the last residual was evaluated at."""
        point, n = self._last, self.system.n
        assert point is not None and point.unknowns is unknowns
        smooth = unknowns[:n] - self._share * point.contact
        state = State(self._time, point.q, point.v, smooth, unknowns[n:], point.history)
        return _Trial(state, point.balance, point.contact)


class _Jacobian:
    """The factored iteration matrix of eq. 2.60 with the scaled constraint row."""

    def __init__(self, matrix: np.ndarray, step: float) -> None:
        self.step = step
        self._factor: Any = la.lu_factor(matrix, check_finite=False)

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Return the correction for a residual."""
        return np.asarray(la.lu_solve(self._factor, right, check_finite=False))
