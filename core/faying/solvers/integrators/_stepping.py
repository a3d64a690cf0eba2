"""Step control and Newton's iteration, the same for every scheme."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from faying.errors import SolveError
from faying.params import parameter
from faying.progress import Progress
from faying.solvers.integrators import (
    DynamicSystem,
    Integrator,
    Laps,
    Output,
    RunReport,
    State,
)
from faying.solvers.integrators._contact_inertia import ContactInertia
from faying.solvers.integrators._scheme import Scheme
from faying.solvers.integrators._step import Jacobian, Step
from faying.solvers.newton import search_line

_GIVE_UP = 1e-9  # of the largest step: below it the run stops with a sentence
# What Newton's iteration may leave, of the error per step. Violated constraints come back as multipliers that
# alternate from step to step: with 1e-3, α = −0.05 and steps of 1 ms those of a double pendulum did by a tenth.
_LEFT, _LEFT_OF_CONSTRAINTS = 1e-3, 1e-5
_TRY = "Allow a larger error per step, or soften the contact or friction stiffness."
_MOST_RETURNS = 5  # to a step whose continued contact opened after all; then a shorter one is tried


class SteppedIntegrator(Integrator):
    """An implicit scheme with error estimate and step control."""

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

    @abstractmethod
    def scheme(self, start: State) -> Scheme:
        """Return the scheme for a run."""

    def integrate(
        self, system: DynamicSystem, start: State, end_time: float, accepted: Output, progress: Progress
    ) -> RunReport:
        """Integrate until `end_time` is reached or passed; see `Integrator`."""
        report = RunReport()
        laps = Laps(report.seconds)
        scheme, newton = self.scheme(start), _Newton(self, system, report, laps)
        state, before, begun = start, None, start.time
        length = self.largest_step if self.fixed_step else min(self.first_step, self.largest_step)
        inertia = ContactInertia(system)
        while state.time < end_time * (1 - 1e-12):
            progress.report(
                (state.time - begun) / (end_time - begun),
                f"t = {state.time:.5g}",
                step=length,
                steps=report.steps,
            )
            rule = scheme.rule(state, length)
            step = Step(system, state, before, rule, inertia, laps)
            after = newton.solve(step)
            if after is None:
                report.rejected_by_iteration += 1
                length /= 4
            else:
                error = (
                    0.0
                    if self.fixed_step
                    else newton.filtered(step, scheme.error(state, after) + step.contact_error(after))
                )
                order = scheme.error_order
                if error <= 1.0:
                    report.steps += 1
                    report.smallest_step = min(report.smallest_step, length)
                    report.largest_step = max(report.largest_step, length)
                    scheme.accept(rule, state, after)
                    laps.end("iteration")
                    accepted(state, after)
                    laps.end("output")
                    before, state = state, after
                    report.last_time = state.time
                else:
                    report.rejected_by_error += 1
                    order -= 1  # a step that fails met contact: its error is of lower order
                factor = float(np.clip(0.9 * max(error, 1e-12) ** (-1 / max(order, 1)), 0.1, 2.0))
                if error > 1.0 or factor < 0.9 or factor > 1.25:  # dead band: few changes, few Jacobians
                    length = min(length * factor, self.largest_step)
            if length < _GIVE_UP * self.largest_step:
                raise SolveError(
                    f"The time step became too small at t = {state.time:.6g}{newton.trouble}.", newton.hint
                )
        progress.report(1.0, f"t = {state.time:.5g}", steps=report.steps)
        laps.end("iteration")
        return report

    def norm(self, system: DynamicSystem, difference: np.ndarray) -> float:
        """Return a difference (n,) of coordinates over the tolerance."""
        return float(np.linalg.norm(system.scales * difference) / (self.tolerance * np.sqrt(system.n)))


@dataclass
class _Newton:
    """Solves steps; keeps the Jacobian from one to the next while it serves.

    `trouble` and `hint` say why the last step that failed did so.
    """

    settings: SteppedIntegrator
    system: DynamicSystem
    report: RunReport
    laps: Laps
    jacobian: Jacobian | None = None
    trouble: str = ""
    hint: str = ""

    @property
    def left(self) -> float:
        """What the iteration may leave, over the tolerance."""
        return _LEFT_OF_CONSTRAINTS if self.system.n_constraints else _LEFT

    def solve(self, step: Step) -> State | None:
        """Return the state at the end of a step; None when the iteration does not converge."""
        unknowns = self._solved(step, step.guess())
        for _ in range(_MOST_RETURNS):
            if unknowns is None or step.holds:
                break
            unknowns = self._solved(step, step.let_go(unknowns))
        return None if unknowns is None or not step.holds else step.end(unknowns)

    def _solved(self, step: Step, unknowns: np.ndarray) -> np.ndarray | None:
        """Return the unknowns that solve a step."""
        system, n = self.system, self.system.n
        if self.jacobian is not None and not self.jacobian.suits(step.rule):
            self.jacobian = None
        residual = step.residual(unknowns)
        last = np.inf
        change = np.zeros(len(unknowns))
        for iteration in range(self.settings.iterations):
            if not np.isfinite(residual).all():
                self._say_why(step, step.rule.by_q * change[:n], "the forces there are not numbers")
                return None
            self.report.iterations += 1
            if self.jacobian is None:
                self.report.jacobians += 1
                self.jacobian = step.jacobian(unknowns)
            change = self.jacobian.solve(-residual)
            size = self.settings.norm(system, step.rule.by_q * change[:n])
            converged = size <= self.left or (size <= 0.05 and size * size <= self.left * last < np.inf)
            if converged and not step.touches:
                return unknowns + change
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
                self.jacobian = self.jacobian if length == 1.0 else None
            # On a stiff stop a small displacement is a large force: what is out of balance must not matter either.
            settled = converged and self.settings.norm(system, step.drift(residual)) <= 0.3
            if settled and self.jacobian is not None:
                return unknowns
            if converged or size > 0.1 * last:
                self.jacobian = None
            last = size
        self._say_why(step, step.rule.by_q * change[:n], "the corrections of a step do not converge")
        return None

    def filtered(self, step: Step, error: np.ndarray) -> float:
        """Return an estimate of the local error over the tolerance.

        For components too fast to be followed the estimate grows with (ω h)² although the scheme damps them out. As
        stiff solvers do (Hairer and Wanner 1996, IV.8), it is passed through the iteration matrix, which leaves
        slow components alone and bounds the fast ones by their amplitude.
        """
        n, point = self.system.n, step.last
        assert self.jacobian is not None and point is not None
        right = np.zeros(n + self.system.n_constraints)
        right[:n] = step.rule.weight * (point.mass @ error)
        return self.settings.norm(self.system, self.jacobian.solve(right)[:n])

    def _say_why(self, step: Step, change: np.ndarray, reason: str) -> None:
        self.jacobian = None
        point = step.last
        assert point is not None
        named = self.system.trouble(step.time, point.q, point.v, step.start.history, change)
        self.trouble = f": {reason}" + (f"; {named.clause}" if named.clause else "")
        self.hint = named.hint or _TRY
        if not named.hint and not np.isfinite(point.forces.force).all():
            self.hint = "Look at the expressions, tables and laws that act at that time."
