"""Newton's iteration on the equations of a time step."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from faying.solvers.integrators import DynamicSystem, RunReport, State
from faying.solvers.integrators._contact_problem import ContactProblem
from faying.solvers.integrators._iteration_matrix import Jacobian, Smooth
from faying.solvers.integrators._step import Step

# What the iteration may leave, of the error per step. Violated constraints come back as multipliers that alternate
# from step to step: with 1e-3, α = −0.05 and steps of 1 ms those of a double pendulum did by a tenth.
# On contact the corrections approach from one side, step after step, so that what is left adds up: with 1e-3 a mass
# that rubs on the ground lost a tenth of its last amplitude within 1700 steps.
_LEFT, _LEFT_OF_CONSTRAINTS, _LEFT_OF_CONTACT = 1e-3, 1e-5, 1e-5
# What forces out of balance may move the system by: on a stiff stop a small displacement is a large force.
_DRIFT = 0.3
_MOST_RETURNS = 5  # to a step whose continued contact opened after all; then a shorter one is tried
_NO_NUMBERS, _NO_END = "the forces there are not numbers", "the corrections of a step do not converge"
_TRY = "Allow a larger error per step, or soften the contact or friction stiffness."


@dataclass
class StepNewton:
    """Solves steps; keeps the matrices from one to the next while they serve.

    Attributes:
        tolerance: error per step.
        iterations: corrections before it gives up; twice as many on contact alone.
        jacobian: the last one; with contact `smooth` is the part of it that is not from contact.
        trouble, hint: why the last step that failed did so, and what to try.
    """

    system: DynamicSystem
    tolerance: float
    iterations: int
    report: RunReport
    jacobian: Jacobian | None = None
    smooth: Smooth | None = None
    trouble: str = ""
    hint: str = ""

    def __post_init__(self) -> None:
        """Weigh the coordinates once: the norm is asked for after every correction."""
        self._weights = self.system.scales / (self.tolerance * math.sqrt(max(self.system.n, 1)))

    def memory(self) -> dict[str, Any]:
        """Return the matrices that are kept."""
        factored = None if self.jacobian is None else self.jacobian.memory()
        return {"jacobian": factored, "smooth": self.smooth}

    def recall(self, memory: dict[str, Any]) -> None:
        """Take them up."""
        factored, self.smooth = memory["jacobian"], memory["smooth"]
        self.jacobian = None if factored is None else Jacobian.recalled(factored)

    def norm(self, difference: np.ndarray) -> float:
        """Return a difference (n,) of coordinates over the tolerance."""
        scaled = self._weights * difference
        return math.sqrt(scaled @ scaled)

    @property
    def left(self) -> float:
        """What the iteration may leave, over the tolerance."""
        return _LEFT_OF_CONSTRAINTS if self.system.n_constraints else _LEFT

    def solve(self, step: Step) -> State | None:
        """Return the state at the end of a step; None when the iteration does not converge."""
        if self.jacobian is not None and not self.jacobian.suits(step.rule):
            self.jacobian = None
        if not step.touches:
            unknowns = self._smooth(step)
            return None if unknowns is None else step.end(unknowns)
        unknowns = self._with_contact(step)
        for _ in range(_MOST_RETURNS):
            if unknowns is None or step.holds:
                break
            unknowns = self._settled(step, step.let_go(unknowns))
        return None if unknowns is None or not step.holds else step.end(unknowns)

    def _smooth(self, step: Step) -> np.ndarray | None:
        """Return the unknowns that solve a step without contact."""
        n, unknowns, last = self.system.n, step.guess(), np.inf
        change = np.zeros(len(unknowns))
        for _ in range(self.iterations):
            residual = step.residual(unknowns)
            if not math.isfinite(residual @ residual):
                self._say_why(step, step.place, change, _NO_NUMBERS)
                return None
            self.report.iterations += 1
            if self.jacobian is None:
                self.report.jacobians += 1
                self.jacobian = Jacobian(step.smooth().matrix, step.rule)
            change = self.jacobian.solve(-residual)
            unknowns = unknowns + change
            size = self.norm(step.rule.by_q * change[:n])
            if size <= self.left or (size <= 0.05 and size * size <= self.left * last < np.inf):
                return unknowns
            if size > 0.1 * last:
                self.jacobian = None
            last = size
        self._say_why(step, step.place, change, _NO_END)
        return None

    def _with_contact(self, step: Step) -> np.ndarray | None:
        """Return the unknowns that solve a step with contact."""
        unknowns = step.guess()
        step.hold(unknowns)
        if self.smooth is None or not self.smooth.is_of(step.rule):
            self.smooth, self.jacobian = step.smooth(), None
        problem = step.contact_problem(self.smooth)
        # Where contact acts, the pairs that were closed and those alone are so at first.
        first = problem.at(step.start.q) if step.is_pushed else np.zeros(len(unknowns))
        change = self._closed(step, problem, first)
        return None if change is None else self._settled(step, unknowns + change)

    def _settled(self, step: Step, unknowns: np.ndarray) -> np.ndarray | None:
        """Return the unknowns that solve a step, from some near them."""
        n, last = self.system.n, np.inf
        change = np.zeros(len(unknowns))
        for _ in range(self.iterations):
            residual = step.residual(unknowns)
            if not np.isfinite(residual).all() or self.jacobian is None:
                self._say_why(step, step.place, change, _NO_NUMBERS)
                return None
            change = self.jacobian.solve(-residual)
            size = self.norm(step.rule.by_q * change[:n])
            if (
                size <= _LEFT_OF_CONTACT
                and step.violation() <= _LEFT_OF_CONSTRAINTS * self.tolerance
                and self._rest(step, residual) <= _DRIFT
            ):
                return unknowns
            if size > 0.1 * last:
                self.smooth, self.jacobian = step.smooth(), None
            last = size
            assert self.smooth is not None
            problem = step.contact_problem(self.smooth)
            found = self._closed(step, problem, np.zeros(len(unknowns)))
            if found is None:
                return None
            unknowns = unknowns + found
        self._say_why(step, step.place, change, _NO_END)
        return None

    def _closed(self, step: Step, problem: ContactProblem, x: np.ndarray) -> np.ndarray | None:
        """Return the solution of a contact problem, from a guess."""
        n, last, length, stale = self.system.n, np.inf, 1.0, False
        residual = problem.residual(x)
        change = np.zeros(len(x))
        for iteration in range(2 * self.iterations):
            if not np.isfinite(residual).all():
                self._say_why(step, problem.place(x), change, _NO_NUMBERS)
                return None
            self.report.iterations += 1
            if self.jacobian is None or stale:
                self.report.jacobians += 1
                self.jacobian = problem.jacobian(x)
            change = self.jacobian.solve(-residual)
            size = self.norm(step.rule.by_q * change[:n])
            # Full corrections cycle between sets of closed pairs; but the first one meets the constraints.
            if iteration == 0:
                x = x + change
                residual = problem.residual(x)
            else:
                length, residual = problem.search(x, change, residual)
                x = x + length * change
            converged = size <= _LEFT_OF_CONTACT or (
                size <= 0.05 and size * size <= _LEFT_OF_CONTACT * last < np.inf
            )
            if converged and self._rest(step, residual) <= _DRIFT:
                return x
            stale = length != 1.0 or size > 0.1 * last
            last = size
        self._say_why(step, problem.place(x), change, _NO_END)
        return None

    def _rest(self, step: Step, residual: np.ndarray) -> float:
        """Return how far what is out of balance would move the system within a step, over the tolerance."""
        return self.norm(step.drift(residual))

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
        return self.norm(self.jacobian.solve(right)[:n])

    def _say_why(self, step: Step, q: np.ndarray, change: np.ndarray, reason: str) -> None:
        """Say why a step failed at q (n,); `change` (n + m,) is the last correction."""
        self.jacobian = None
        moved = step.rule.by_q * change[: self.system.n]
        point = step.last
        assert point is not None
        named = self.system.trouble(step.time, q, point.v, step.start.history, moved)
        self.trouble = f": {reason}" + (f"; {named.clause}" if named.clause else "")
        self.hint = named.hint or _TRY
        if not named.hint and not np.isfinite(point.forces.force).all():
            self.hint = "Look at the expressions, tables and laws that act at that time."
