"""Newton's iteration on the equations of a time step, with an inner iteration on contact.

Without contact this is a modified Newton method: the factored matrix is reused over steps while it converges fast.

With contact, everything except contact is linearised. Contact changes from pair to pair within micrometres, everything
else changes little within a step. So each correction of a step solves its linearised equations with the true contact
forces: pairs open and close many times in this solution, which costs evaluations of contact alone, but none of the
system's forces and constraints.

    until the equations hold:
        linearise all but contact at the present unknowns            `StepEquations.smooth_matrix`
        until that problem is solved, pairs opening and closing:       `ContactProblem`
            correct, and search along the correction
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from faying.records import record
from faying.solvers.diagnosis import StepDiagnosis
from faying.solvers.integrators import ContactForces, DynamicSystem
from faying.solvers.integrators._equations import Evaluation, SmoothMatrix, StepEquations, acting
from faying.solvers.integrators._factored import FactoredMatrix, factored
from faying.solvers.integrators._scheme import Rule
from faying.solvers.newton import search_line

# Tolerances of the iteration, relative to the error per step. Violated constraints return as multipliers that
# alternate from step to step: by a tenth for a double pendulum with 1e-3, α = −0.05 and steps of 1 ms.
# On contact the corrections approach from one side, step after step, so that errors add up: with 1e-3 a mass
# that rubs on the ground lost a tenth of its last amplitude within 1700 steps.
_TOLERANCE, _CONSTRAINT_TOLERANCE, _CONTACT_TOLERANCE = 1e-3, 1e-5, 1e-5
# Largest displacement by unbalanced forces within a step, over the tolerance: on a stiff stop a small displacement is
# a large force.
_MAX_DRIFT = 0.3
# With quasi-static coordinates forces depend on displacements far below the tolerance, and unbalanced forces act as a
# spurious impulse of contact. No correction is spent on displacements below these bounds: a share of the displacement
# by contact itself, and a share of the tolerance.
_CONTACT_BALANCE, _MIN_BALANCE = 1e-7, 1e-9
_MAX_STAGNATION = 8  # corrections within which the next one, or the residual, has to be halved
_MAX_REPETITIONS = 5  # repetitions of a step in which lasting pairs opened; then a shorter one is tried
SLOW_CONVERGENCE = 0.1  # of the last correction: a larger one requires a new matrix
QUADRATIC_CONVERGENCE = (
    0.05  # of the tolerance: from there on the next correction is estimated as size²/last size
)
_ENERGY_RATE_SHARE, _MAX_EVALUATIONS = 0.1, 25  # at which a line search on contact ends
_NOT_FINITE, _NOT_CONVERGED = "the forces there are not numbers", "the corrections of a step do not converge"
_SINGULAR = "the equations of a step have no unique solution"
_CONSTRAINT_HINT = "Take constraints away that follow from others, and hold what has no mass."
_CONVERGENCE_HINT = "Allow a larger error per step, or soften the contact or friction stiffness."


@record("iteration matrices")
class IterationMatrices:
    """Matrices kept from one step to the next.

    Attributes:
        factored: the last matrix.
        smooth: its part without contact, in a system with contact.
        contact: data of the contact part (`ContactForces.last`).
    """

    factored: FactoredMatrix | None = None
    smooth: SmoothMatrix | None = None
    contact: Any = None


@dataclass(frozen=True, eq=False)
class Accuracy:
    """When an iteration ends.

    Attributes:
        tolerance: error per step.
        iterations: corrections before it gives up; twice as many on contact alone.
        scales: (n,) lengths by which the coordinates are judged.
        weights: (n,) of coordinates in the norm, such that the allowed error per step has norm one.
        left: norm of a correction at which the iteration without contact ends.
    """

    tolerance: float
    iterations: int
    scales: np.ndarray
    weights: np.ndarray
    left: float

    @classmethod
    def of(cls, system: DynamicSystem, tolerance: float, iterations: int) -> "Accuracy":
        """Return the accuracy of steps of a system; the norm is evaluated after every correction."""
        weights = system.scales / (tolerance * math.sqrt(max(system.n, 1)))
        return cls(
            tolerance,
            iterations,
            system.scales,
            weights,
            _CONSTRAINT_TOLERANCE if system.n_constraints else _TOLERANCE,
        )

    def violation(self, values: np.ndarray, rows: np.ndarray) -> float:
        """Return the largest of violations (m,) of constraints with rows C_q (m, n), as a length over the tolerance."""
        if not len(values):
            return 0.0
        sizes = np.linalg.norm(rows / self.scales, axis=1)
        return float((np.abs(values) / np.where(sizes > 0.0, sizes, 1.0)).max()) / self.tolerance

    def norm(self, difference: np.ndarray) -> float:
        """Return the norm of a difference (n,) of coordinates, relative to the tolerance."""
        scaled = self.weights * difference
        return math.sqrt(scaled @ scaled)


class Effort(NamedTuple):
    """Corrections, and matrices made for them."""

    iterations: int
    jacobians: int


class Solved(NamedTuple):
    """A converged step.

    Attributes:
        equations: in their last form.
        unknowns: (n + m,).
        last: evaluation at the unknowns; None without contact.
        matrices: the last ones.
        effort: spent.
    """

    equations: StepEquations
    unknowns: np.ndarray
    last: Evaluation | None
    matrices: IterationMatrices
    effort: Effort

    def filtered(self, right: np.ndarray) -> np.ndarray:
        """Return S⁻¹ times a right side (n + m,), with the matrix S ≈ weight M + by_q K of the last correction.

        F = S⁻¹ weight M separates slow from fast components, as in stiff solvers (Hairer and Wanner 1996, IV.8): it
        keeps those that the step resolves, and suppresses the others.
        """
        if self.matrices.factored is None:
            raise TypeError("The equations of a step were met without a matrix.")
        return self.matrices.factored.solve(right)


class Unsolved(NamedTuple):
    """A step whose iteration does not converge.

    Attributes:
        matrices: reusable matrices.
        effort: spent.
        why: reason of the failure, and a remedy.
    """

    matrices: IterationMatrices
    effort: Effort
    why: StepDiagnosis


def solve_step(
    equations: StepEquations, guess: np.ndarray, matrices: IterationMatrices, accuracy: Accuracy
) -> Solved | Unsolved:
    """Return the solution of the equations of a step.

    Args:
        equations: of the step.
        guess: (n + m,) unknowns to start from.
        matrices: of the step before.
        accuracy: of the solution.
    """
    iteration = _Iteration(equations, matrices, accuracy)
    try:
        solve = iteration.without_contact if equations.at_start is None else iteration.with_contact
        unknowns, last = solve(guess)
    except _NotConvergedError as failure:
        return Unsolved(iteration.matrices, iteration.effort, failure.why)
    return Solved(iteration.equations, unknowns, last, iteration.matrices, iteration.effort)


Contact = Callable[[np.ndarray], ContactForces]
ContactPush = Callable[[ContactForces], np.ndarray]
ContactTangent = Callable[[np.ndarray, Any], tuple[np.ndarray | None, Any]]


class ContactProblem:
    """S x + r − f(q + by_q x) = 0 over changes x = (Δa, ΔΛ) of a step's unknowns.

    Args:
        smooth: S.
        rest: r (n + m,), the residual without contact.
        q: (n,) coordinates there.
        rule: of the step.
        contact: forces of contact at q.
        pushing: f (n,) of these.
        tangent: (q, last) -> ∂f/∂q (n, n) or None, updated from the last one, and the data of the next update.

    Attributes:
        known: coordinates (n,) of the last residual, and the forces of contact there; None before the first.
    """

    known: tuple[np.ndarray, ContactForces] | None = None

    def __init__(
        self,
        smooth: SmoothMatrix,
        rest: np.ndarray,
        q: np.ndarray,
        rule: Rule,
        contact: Contact,
        pushing: ContactPush,
        tangent: ContactTangent,
    ) -> None:
        self._smooth, self._rest, self._q, self._rule = smooth, rest, q, rule
        self._contact, self._pushing, self._tangent = contact, pushing, tangent
        self._n = len(q)

    @classmethod
    def at(cls, equations: StepEquations, place: Evaluation, smooth: SmoothMatrix) -> "ContactProblem":
        """Return the equations of a step about an evaluation, linear but for contact."""
        rest = equations.out_of_balance_but_contact(place)
        return cls(
            smooth, rest, place.q, equations.rule, equations.contact, equations.pushing, equations.contact_tangent
        )  # fmt: skip

    def residual(self, x: np.ndarray) -> np.ndarray:
        """Return the residual (n + m,)."""
        r, q = self._smooth.matrix @ x + self._rest, self.place(x)
        self.known = q, self._contact(q)
        r[: self._n] -= self._pushing(self.known[1])
        return np.asarray(r)

    def jacobian(self, x: np.ndarray, last: Any = None) -> tuple[FactoredMatrix, Any]:
        """Return the factored tangent, and the data of its contact part; `last` is that of an earlier one."""
        matrix = self._smooth.matrix.copy()
        change, last = self._tangent(self.place(x), last)
        if change is not None:
            matrix[: self._n, : self._n] -= self._rule.by_q * change
        return factored(matrix, self._rule), last

    def change_to(self, q: np.ndarray) -> np.ndarray:
        """Return (n + m,) the change that leads to coordinates (n,)."""
        x = np.zeros(len(self._rest))
        x[: self._n] = (q - self._q) / self._rule.by_q
        return x

    def place(self, x: np.ndarray) -> np.ndarray:
        """Return (n,) the coordinates that a change leads to."""
        return np.asarray(self._q + self._rule.by_q * x[: self._n])

    def search(self, x: np.ndarray, step: np.ndarray, residual: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the factor of a step that keeps the constraints, and the residual (n + m,) there."""
        length, there, _ = search_line(
            self.residual,
            x,
            step,
            self._rate(step, residual),
            most=_MAX_EVALUATIONS,
            rate_of=self._rate,
            enough=_ENERGY_RATE_SHARE,
        )
        return length, there

    def _rate(self, step: np.ndarray, residual: np.ndarray) -> float:
        return float(step[: self._n] @ residual[: self._n])


class _NotConvergedError(Exception):
    """Ends an iteration, with the reason."""

    def __init__(self, why: StepDiagnosis) -> None:
        super().__init__(why.clause)
        self.why = why


class _Iteration:
    """The iteration of one step; it changes nothing but its own matrices, equations and counts."""

    def __init__(self, equations: StepEquations, matrices: IterationMatrices, accuracy: Accuracy) -> None:
        self.equations, self._accuracy = equations, accuracy
        self.factored, self._smooth, self._contact = matrices.factored, matrices.smooth, matrices.contact
        self._iterations = self._jacobians = 0
        if self.factored is not None and not self.factored.suits(equations.rule.by_q):
            self.factored = None

    @property
    def matrices(self) -> IterationMatrices:
        """The present matrices."""
        return IterationMatrices(self.factored, self._smooth, self._contact)

    @property
    def effort(self) -> Effort:
        """The effort so far."""
        return Effort(self._iterations, self._jacobians)

    def without_contact(self, unknowns: np.ndarray) -> tuple[np.ndarray, None]:
        """Return the unknowns (n + m,) that solve a step without contact, and no evaluation."""
        equations, accuracy, last = self.equations, self._accuracy, np.inf
        change, before = np.zeros(len(unknowns)), unknowns
        for _ in range(accuracy.iterations):
            before = unknowns
            residual = equations.residual_at(unknowns)
            if not math.isfinite(residual @ residual):
                place = equations.evaluate(unknowns)
                raise self._failure(place, place.q, change, _NOT_FINITE)
            self._iterations += 1
            if self.factored is None:
                self._jacobians += 1
                self.factored = factored(equations.matrix_at(unknowns), equations.rule)
                if self.factored.is_singular:
                    place = equations.evaluate(unknowns)
                    raise self._failure(place, place.q, change, _SINGULAR, _CONSTRAINT_HINT)
            change = self.factored.solve(-residual)
            unknowns = unknowns + change
            size = self._size(change)
            # Small, or the next one will be: corrections fall at least as fast as they did last.
            if size <= accuracy.left or (
                size <= QUADRATIC_CONVERGENCE and size * size <= accuracy.left * last < np.inf
            ):
                return unknowns, None
            if size > SLOW_CONVERGENCE * last:
                self.factored = None
            last = size
        raise self._failure(equations.evaluate(before), None, change, _NOT_CONVERGED)

    def with_contact(self, unknowns: np.ndarray) -> tuple[np.ndarray, Evaluation]:
        """Return the unknowns (n + m,) that solve a step with contact, and the evaluation there."""
        equations = self.equations
        # First look under the contact force of the start, all but contact linear there.
        place = equations.evaluate_held(unknowns)
        if self._smooth is None or not self._smooth.is_of(equations.rule):
            self._smooth, self.factored = equations.smooth_matrix(place), None
        problem = ContactProblem.at(equations, place, self._smooth)
        # Where contact acts at the start, begin at its coordinates: there the same pairs are closed.
        pushed = equations.start.contact_a is not None and bool(equations.start.contact_a.any())
        first = problem.change_to(equations.start.q) if pushed else np.zeros(len(unknowns))
        changed = unknowns + self._closed(place, problem, first, problem.residual(first))
        place = self._settled(changed, problem.known)
        # No force of the start acts on lasting pairs that have opened after all: solve again without it.
        for _ in range(_MAX_REPETITIONS):
            if self.equations.contact_goes_on(place):
                break
            self.equations, moved = self.equations.without_opened(place)
            place = self._settled(moved)
        if not self.equations.contact_goes_on(place):
            raise _NotConvergedError(StepDiagnosis(f": {_NOT_CONVERGED}", _CONVERGENCE_HINT))
        return place.unknowns, place

    def _settled(
        self, unknowns: np.ndarray, known: tuple[np.ndarray, ContactForces] | None = None
    ) -> Evaluation:
        """Return the evaluation at the unknowns that solve a step, starting from unknowns (n + m,) near them.

        Contact there need not be evaluated where it is known from the last residual.
        """
        equations, accuracy, last, drifted = self.equations, self._accuracy, np.inf, np.inf
        change, place, least, since = np.zeros(len(unknowns)), None, np.inf, 0
        for _ in range(accuracy.iterations):
            # True forces of everything where the unknowns lead.
            place = equations.evaluate(unknowns, known=known)
            residual = equations.residual(place)
            if not np.isfinite(residual).all() or self.factored is None:
                raise self._failure(place, place.q, change, _NOT_FINITE)
            change = self.factored.solve(-residual)
            size = self._size(change)
            if (
                size <= _CONTACT_TOLERANCE
                and accuracy.violation(place.violation, place.rows) <= _CONSTRAINT_TOLERANCE
                and (drift := self._drift(residual)) <= _MAX_DRIFT
            ):
                if self._is_balanced(drift, drifted, self._pushed(place)):
                    return place
                drifted = drift
            least, since = (size, 0) if size <= 0.5 * least else (least, since + 1)
            if since > _MAX_STAGNATION:
                break
            # Linear but for contact from there.
            if self._smooth is None or size > SLOW_CONVERGENCE * last:
                self._smooth, self.factored = equations.smooth_matrix(place), None
            last = size
            problem = ContactProblem.at(equations, place, self._smooth)
            unknowns = unknowns + self._closed(place, problem, np.zeros(len(unknowns)), residual)
            known = problem.known
        raise self._failure(place, None, change, _NOT_CONVERGED)

    def _closed(
        self, place: Evaluation, problem: ContactProblem, x: np.ndarray, residual: np.ndarray
    ) -> np.ndarray:
        """Return the solution (n + m,) of a contact problem about an evaluation, from a guess x and its residual.

        The problem's last residual is that of the solution.
        """
        last, length, stale, drifted, pushed = np.inf, 1.0, False, np.inf, self._pushed(place)
        change, best, since = np.zeros(len(x)), np.inf, 0
        for iteration in range(2 * self._accuracy.iterations):
            if not np.isfinite(residual).all():
                raise self._failure(place, problem.place(x), change, _NOT_FINITE)
            self._iterations += 1
            if self.factored is None or stale:
                self._jacobians += 1
                self.factored, self._contact = problem.jacobian(x, self._contact)
                if self.factored.is_singular:
                    raise self._failure(place, problem.place(x), change, _SINGULAR, _CONSTRAINT_HINT)
            change = self.factored.solve(-residual)
            size = self._size(change)
            # Full corrections cycle between sets of closed pairs; but the first one meets the constraints.
            if iteration == 0:
                x = x + change
                residual = problem.residual(x)
            else:
                length, residual = problem.search(x, change, residual)
                x = x + length * change
            converged = size <= _CONTACT_TOLERANCE or (
                size <= QUADRATIC_CONVERGENCE and size * size <= _CONTACT_TOLERANCE * last < np.inf
            )
            drift = self._drift(residual)
            if converged and drift <= _MAX_DRIFT:
                if self._is_balanced(drift, drifted, pushed):
                    return x
                drifted = drift
            best, since = (drift, 0) if drift <= 0.5 * best else (best, since + 1)
            if since > _MAX_STAGNATION and drift > _MAX_DRIFT:
                break
            stale = length != 1.0 or size > SLOW_CONVERGENCE * last
            last = size
        raise self._failure(place, problem.place(x), change, _NOT_CONVERGED)

    def _size(self, change: np.ndarray) -> float:
        """Return the displacement by a correction (n + m,), over the tolerance."""
        equations = self.equations
        return self._accuracy.norm(equations.rule.by_q * change[: equations.system.n])

    def _drift(self, residual: np.ndarray) -> float:
        """Return the displacement by unbalanced forces within a step, over the tolerance."""
        return self._accuracy.norm(self.equations.drift(residual))

    def _pushed(self, place: Evaluation) -> float:
        """Return the displacement by contact at an evaluation within a step, over the tolerance."""
        if self.equations.system.without_inertia is None or place.contact is None:
            return 0.0
        return self._drift(acting(place.contact))

    def _is_balanced(self, drift: float, before: float, pushed: float) -> bool:
        """Return whether forces are balanced, or the last correction did not improve their balance.

        Args:
            drift, before: by unbalanced forces now, and before; see `_drift`.
            pushed: by contact, see `_pushed`.
        """
        if self.equations.system.without_inertia is None:
            return True
        return drift <= max(_CONTACT_BALANCE * pushed, _MIN_BALANCE) or drift > 0.5 * before

    def _failure(
        self,
        place: Evaluation | None,
        q: np.ndarray | None,
        change: np.ndarray,
        reason: str,
        hint: str = _CONVERGENCE_HINT,
    ) -> _NotConvergedError:
        """Return why the step failed at q (n,), by default that of the last evaluation.

        Args:
            place: the last evaluation.
            q: see above.
            change: (n + m,) the last correction.
            reason, hint: general texts, if the system's diagnosis finds none.
        """
        self.factored = None  # a new one for the next try
        if place is None:
            return _NotConvergedError(StepDiagnosis(f": {reason}", hint))
        equations, system = self.equations, self.equations.system
        moved = equations.rule.by_q * change[: system.n]
        where = place.q if q is None else q
        named = system.diagnose(equations.time, where, place.v, equations.start.history, moved)
        hint = named.hint or hint
        if not named.hint and not np.isfinite(place.forces.force).all():
            hint = "Look at the expressions, tables and laws that act at that time."
        return _NotConvergedError(
            StepDiagnosis(f": {reason}" + (f"; {named.clause}" if named.clause else ""), hint)
        )
