"""The HHT scheme for index-3 equations of motion, with error estimate and step control."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import scipy.linalg as la

from faying.errors import SolveError
from faying.params import parameter
from faying.progress import Progress
from faying.solvers.integrators import (
    ConstrainedInertia,
    ContactForces,
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
    separating smooth and impulsive parts is that of Chen, Acary, Virlez and Brüls 2013.) With constraints
    the acceleration by contact respects them, and their multipliers are split in the same way.

    Another one where the mass depends on q, as that of a part in space does: eq. 2.57 weighs the inertia force
    of the last step, M₀ q̈₀, with α, which is of first order only: a top at 150 rad/s gains a tenth of its
    energy within a turn (α = −0.05, h = 0.2 ms). Here it is M₁ q̈₀, so that a₁ is (1 + α) q̈₁ − α q̈₀ as in the
    generalised-α schemes of Arnold and Brüls (2007); with constant mass that is eq. 2.57.
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
        inertia = _Inertia(system)
        while state.time < end_time * (1 - 1e-12):
            progress.report(
                (state.time - begun) / (end_time - begun),
                f"t = {state.time:.5g}",
                step=step,
                steps=report.steps,
            )
            trial, jacobian = self._try_step(
                _Step(system, state, known, step, self.alpha, inertia), jacobian, report
            )
            if trial is None or jacobian is None:
                report.rejected_by_iteration += 1
                step /= 4
            else:
                change = step**2 * (_accelerations(trial.state) - _accelerations(state))
                error = 0.0 if self.fixed_step else self._error(system, trial.state.q, change, jacobian)
                if error <= 1.0:
                    report.steps += 1
                    report.smallest_step = min(report.smallest_step, step)
                    report.largest_step = max(report.largest_step, step)
                    accepted(state, trial.state)
                    state, known = trial.state, trial.unbalanced
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
        system, h, n = step.system, step.length, step.system.n
        unknowns = step.guess()
        if jacobian is not None and not 0.8 < jacobian.step / h < 1.25:
            jacobian = None
        residual = step.residual(unknowns)
        last = np.inf
        for iteration in range(self.iterations):
            if not np.isfinite(residual).all():
                return None, None
            report.iterations += 1
            if jacobian is None:
                report.jacobians += 1
                jacobian = step.jacobian(unknowns)
            change = jacobian.solve(-residual)
            size = self._norm(system, step.beta * h * h * change[:n])
            converged = size <= 1e-3 or (size <= 0.05 and size * size <= 1e-3 * last < np.inf)
            # The first correction meets the constraints, which are nearly linear within a step.
            if converged or not step.touches or (system.n_constraints and iteration == 0):
                unknowns = unknowns + change
                residual = step.residual(unknowns)
            else:
                # Contact makes full corrections cycle between sets of closed pairs: search along them.
                length, residual, _ = search_line(
                    step.residual, unknowns, change, step.rate(change, residual), most=8, rate_of=step.rate
                )
                unknowns = unknowns + length * change
                jacobian = jacobian if length == 1.0 else None
            # On a stiff stop a small displacement is a large force: what is out of balance must not matter either.
            settled = converged and (not step.touches or self._norm(system, step.drift(residual)) <= 0.3)
            if settled and jacobian is not None:
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
    forces = system.forces(state.time, state.q, state.v, jacobian=False).force
    contact = system.contact(state.q, state.history, 0.0, jacobian=False)
    if contact is not None and contact.lasting is not None:
        forces = forces + contact.lasting.force
    if not system.n_constraints:
        return -forces
    rows = system.constraints(state.time, state.q, state.history)[1]
    return np.asarray(rows.T @ state.multipliers - forces)


def _accelerations(state: State) -> np.ndarray:
    return state.a if state.contact_a is None else state.a + state.contact_a


@dataclass(frozen=True)
class _Trial:
    """A converged step: the state, and C_qᵀ λ − Q there, without contact, for the next one."""

    state: State
    unbalanced: np.ndarray


class _Inertia:
    """Accelerations by forces at the start of a step; factors again only when something is another one."""

    def __init__(self, system: DynamicSystem) -> None:
        self._system = system
        self._key: Any = None
        self._factor: ConstrainedInertia | None = None

    def at(self, state: State) -> ConstrainedInertia:
        """Return the factor for the accepted state."""
        mass = self._system.mass(state.q)
        key = state if self._system.n_constraints else mass
        if key is not self._key or self._factor is None:
            rows = self._system.constraints(state.time, state.q, state.history)[1]
            self._key, self._factor = key, ConstrainedInertia(mass, rows)
        return self._factor


@dataclass(frozen=True)
class _Point:
    """Where the unknowns of a step lead: kinematics and forces there.

    Attributes:
        unknowns, q, v, mass: there.
        balance: C_qᵀ Λ − Q with smooth forces alone.
        rows: C_q.
        contact: forces of contact, None for none; `by_contact` their accelerations and multipliers.
        forces: the smooth forces, lasting ones of contact among them.
    """

    unknowns: np.ndarray
    q: np.ndarray
    v: np.ndarray
    mass: np.ndarray
    balance: np.ndarray
    violation: np.ndarray
    rows: np.ndarray
    contact: ContactForces | None
    by_contact: tuple[np.ndarray, np.ndarray]
    forces: Forces


class _Step:
    """The discretised equations of one step over the unknowns (a, Λ).

    With contact, the unknown a is the one that Newmark's formula for q₁ alone would see, a = a_s + a_c/(2β),
    of a smooth part a_s and one by contact a_c; likewise Λ = λ_s + λ_c/(2β (1 + α)). The parts by contact
    solve M a_c + C_qᵀ λ_c = f_c, C_q a_c = 0 at the start of the step.
    """

    def __init__(
        self,
        system: DynamicSystem,
        state: State,
        known: np.ndarray,
        length: float,
        alpha: float,
        inertia: _Inertia,
    ) -> None:
        self.system, self._state, self._known = system, state, known
        self._mass = system.mass(state.q)
        self.length, self._alpha, self._inertia = length, alpha, inertia
        self.gamma, self.beta = (1 - 2 * alpha) / 2, (1 - alpha) ** 2 / 4
        self._share = 1 / (2 * self.beta)  # of a contact acceleration in the unknown a
        self._time = state.time + length
        self._forward_q = state.q + length * state.v + length**2 * (0.5 - self.beta) * state.a
        self._forward_v = state.v + length * (1 - self.gamma) * state.a
        self._last: _Point | None = None

    @cached_property
    def _acceleration(self) -> np.ndarray:
        """The smooth acceleration q̈₀ at the start of the step; not the unknown a₀, which is ahead of it."""
        return np.asarray(la.solve(self._mass, -self._known, assume_a="pos", check_finite=False))

    @property
    def touches(self) -> bool:
        """Whether the system has contact; known after the first residual."""
        return self._last is not None and self._last.contact is not None

    def guess(self) -> np.ndarray:
        """Return the unknowns to start from: those of the last step, or of this one under the last one's contact.

        Held accelerations would carry a stiff joint off, its contact force with them. What the step comes to
        under the contact force as it was is near the solution: on the friction bar it halves the corrections.
        """
        state = self._state
        if state.contact_a is None or state.contact_multipliers is None:
            return np.concatenate([state.a, state.multipliers])
        a = state.a + self._share * state.contact_a
        part = self._share / (1 + self._alpha) * state.contact_multipliers
        unknowns = np.concatenate([a, state.multipliers + part])
        if not state.contact_a.any():
            return unknowns
        rows = self.system.constraints(state.time, state.q, state.history)[1]
        force = self.system.mass(state.q) @ state.contact_a
        if len(rows):
            force = force + rows.T @ state.contact_multipliers
        point = self._at(unknowns, jacobian=True, held=np.asarray(force))
        return np.asarray(unknowns + self._matrix(point).solve(-self._out_of_balance(point)))

    def _at(self, unknowns: np.ndarray, jacobian: bool = False, held: np.ndarray | None = None) -> _Point:
        """Return where the unknowns lead; `held` stands in for the force of contact there."""
        system, h, n = self.system, self.length, self.system.n
        a, multipliers = unknowns[:n], unknowns[n:]
        q = self._forward_q + self.beta * h**2 * a
        v = self._forward_v + self.gamma * h * a
        contact = system.contact(q, self._state.history, h, jacobian=jacobian)
        if contact is not None and held is not None:
            contact = replace(contact, force=held, d_position=None)
        by_contact = (np.zeros(n), np.zeros(len(multipliers)))
        if contact is not None:
            by_contact = self._inertia.at(self._state).accelerations(contact.force)
            v = v + (1 - self._share * self.gamma) * h * by_contact[0]
        forces = system.forces(self._time, q, v, jacobian=jacobian)
        if contact is not None and contact.lasting is not None:
            forces = forces + contact.lasting
        violation, rows = system.constraints(self._time, q, self._state.history)
        balance = -forces.force + rows.T @ multipliers if len(rows) else -forces.force
        return _Point(unknowns, q, v, system.mass(q), balance, violation, rows, contact, by_contact, forces)

    def residual(self, unknowns: np.ndarray) -> np.ndarray:
        """Return the residual of eq. 2.57, contact at the end of the step, and of the scaled constraints."""
        self._last = self._at(unknowns)
        return self._out_of_balance(self._last)

    def _out_of_balance(self, point: _Point) -> np.ndarray:
        alpha = self._alpha
        inertia = point.mass @ point.unknowns[: self.system.n]
        if point.contact is not None:
            inertia = inertia - self._share * point.contact.force
        known = self._known if point.mass is self._mass else -point.mass @ self._acceleration
        residual = inertia / (1 + alpha) + point.balance - alpha / (1 + alpha) * known
        if not len(point.violation):
            return np.asarray(residual)
        return np.concatenate([residual, point.violation / (self.beta * self.length**2)])

    def rate(self, change: np.ndarray, residual: np.ndarray) -> float:
        """Return the energy rate along a correction that keeps the constraints: Δa · r."""
        n = self.system.n
        return float(change[:n] @ residual[:n])

    def jacobian(self, unknowns: np.ndarray) -> "_Jacobian":
        """Return the factored iteration matrix at the unknowns."""
        return self._matrix(self._at(unknowns, jacobian=True))

    def _matrix(self, point: _Point) -> "_Jacobian":
        system, alpha, h, n = self.system, self._alpha, self.length, self.system.n
        matrix = point.mass / (1 + alpha)
        if point.forces.d_position is not None:
            matrix = matrix - self.beta * h * h * point.forces.d_position
        if point.contact is not None and point.contact.d_position is not None:
            matrix = matrix - self.beta * h * h * self._share / (1 + alpha) * point.contact.d_position
        if point.forces.d_velocity is not None:
            matrix = matrix - self.gamma * h * point.forces.d_velocity
        # Λ holds λ_c too, whose share goes with M a/(1 + α): near enough for a matrix of Newton's.
        a, multipliers = point.unknowns[:n], point.unknowns[n:]
        if point.mass is not self._mass:
            a = a + alpha * self._acceleration
        extra = system.inertia_and_constraint_jacobian(
            self._time, point.q, a / (1 + alpha), multipliers, self._state.history
        )
        if extra is not None:
            matrix = matrix + self.beta * h * h * extra
        m = len(point.rows)
        if m:
            matrix = np.block([[matrix, point.rows.T], [point.rows, np.zeros((m, m))]])
        return _Jacobian(matrix, h)

    def drift(self, residual: np.ndarray) -> np.ndarray:
        """Return (n,) how far the forces out of balance would move the system within the step."""
        free = self._inertia.at(self._state).accelerations(residual[: self.system.n])[0]
        return np.asarray((1 + self._alpha) * self.length**2 * free)

    def trial(self, unknowns: np.ndarray) -> _Trial:
        """Return the state at the unknowns, which the last residual was evaluated at."""
        point, n, state = self._last, self.system.n, self._state
        assert point is not None and point.unknowns is unknowns
        a, multipliers, balance = unknowns[:n], unknowns[n:], point.balance
        if point.contact is None:
            history = self.system.accepted(self._time, point.q, state.history)
            return _Trial(State(self._time, point.q, point.v, a, multipliers, history), balance)
        contact_a, contact_multipliers = point.by_contact
        a = a - self._share * contact_a
        if len(point.rows):
            in_unknown = self._share / (1 + self._alpha) * contact_multipliers
            multipliers, balance = multipliers - in_unknown, balance - point.rows.T @ in_unknown
        history = self.system.accepted(self._time, point.q, point.contact.history)
        after = State(self._time, point.q, point.v, a, multipliers, history, contact_a, contact_multipliers)
        return _Trial(after, balance)


class _Jacobian:
    """The factored iteration matrix of eq. 2.60 with the scaled constraint row."""

    def __init__(self, matrix: np.ndarray, step: float) -> None:
        self.step = step
        self._factor: Any = la.lu_factor(matrix, check_finite=False)

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Return the correction for a residual."""
        return np.asarray(la.lu_solve(self._factor, right, check_finite=False))
