"""One time step, common to all implicit integrators.

A step is a list of named stages. Each is a pure function: it changes no argument and returns all its results. One step
hands a single value to the next, `Carried`.

    predict     the scheme's formulas, continued contact, a first guess        `predict`
    solve       unknowns that fulfil the equations at the end                 `_newton.solve_step`
      evaluate    kinematics, contact, forces, constraints                      `_equations.StepEquations.evaluate`
      linearise   all but contact, which opens and closes inside                `_newton.ContactProblem`
    correct     the state at the end, its accelerations split again             `correct`
    estimate    the local error over the tolerance                              `estimate`
    judge       whether it is accepted; length of the next one, within `longest_step`   `judge`
    accept      the data for the next step                                      `accept`

`take_step` runs them once; plain steps of a system that is all in tables are taken by their twin in machine code,
`_compiled_step`. The formulas of the schemes are in `_scheme` and `bdf`; `_stepping` runs step after step, reports
progress and passes states to the output.

Everything that acts between surfaces (joints; contact between parts) is a summand of `DynamicSystem.contact`, with its
tangent, its history and its closed pairs; no stage depends on its kind. The speed at which surfaces approach each other
limits the step in `longest_step`; `judge` refuses a step that may have overrun a first touch.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from faying.errors import SolveError
from faying.records import record
from faying.solvers.diagnosis import StepDiagnosis
from faying.solvers.integrators import LASTING, ConstrainedInertia, DynamicSystem, State
from faying.solvers.integrators._compiled_step import CompiledStep
from faying.solvers.integrators._equations import StepEquations, acting, but, continued_contact
from faying.solvers.integrators._extrapolation import Extrapolation
from faying.solvers.integrators._newton import (
    Accuracy,
    Effort,
    IterationMatrices,
    Solved,
    Unsolved,
    solve_step,
)
from faying.solvers.integrators._scheme import Scheme
from faying.units import amount

_REFUSED = StepDiagnosis(
    ": the error of a step stays above the allowed one",
    "Allow a larger error per step, or look for what jumps at that time: load histories, expressions, tables, laws.",
)
_LIMITED = StepDiagnosis(
    ": parts turn or approach each other too fast",
    "Look at the velocities there, or allow a larger rotation per step.",
)


# A failed length is tried again after _MIN_PATIENCE steps with few corrections; until then steps are at most the given
# share of it.
_MIN_PATIENCE, _MAX_PATIENCE, _FAILED_LENGTH_SHARE = 20, 320, 0.5


@dataclass(frozen=True, eq=False)
class Method:
    """The constants of a run.

    Attributes:
        system: the moving system.
        scheme: the formulas.
        accuracy: of the iterations and of the error.
        largest_step: see the integrator's settings, also for the others.
        largest_rotation: of a part within a step.
        fixed_step: whether errors and rotations limit nothing.
        compiled: takes plain steps in one kernel; None for a system or a scheme that has none.
    """

    system: DynamicSystem
    scheme: Scheme[Any]
    accuracy: Accuracy
    largest_step: float
    largest_rotation: float
    fixed_step: bool
    compiled: CompiledStep | None = None


@record("failed length")
class FailedLength:
    """A step length at which corrections did not converge, and for how many steps it is not tried again.

    Causes of divergence, such as friction that reverses, last for many steps: doubling the length after each accepted
    step until the next failure would waste most of the work.

    Attributes:
        length: of the try that failed.
        patience: steps with few corrections before this length is tried again; doubled after each failure.
        left: remaining number of these steps.
    """

    length: float
    patience: int
    left: int

    @classmethod
    def at(cls, length: float, last: "FailedLength | None") -> "FailedLength":
        """Return the record of a failure, after another one or none."""
        patience = _MIN_PATIENCE if last is None else min(2 * last.patience, _MAX_PATIENCE)
        return cls(length, patience, patience)

    def after(self, length: float, iterations: int, few: int) -> "FailedLength | None":
        """Return the record after an accepted step; None once longer steps converge again.

        Args:
            length: of the step.
            iterations: its corrections.
            few: upper limit of "few" corrections.
        """
        if length >= self.length:
            return None
        return replace(self, left=max(self.left - (iterations <= few), 0))

    @property
    def longest(self) -> float:
        """Longest step for now."""
        return _FAILED_LENGTH_SHARE * self.length if self.left else np.inf


@record("carried")
class Carried:
    """All data that one step hands to the next.

    Attributes:
        state: accepted last.
        length: of the next step.
        past: the scheme's data from earlier steps.
        matrices: of Newton's iteration.
        unknowns: extrapolation from the last steps; used without contact only.
        failed: length at which corrections did not converge; None if they always did, or converge again.
    """

    state: State
    length: float
    past: Any
    matrices: IterationMatrices
    unknowns: Extrapolation
    failed: FailedLength | None = None


class Prediction(NamedTuple):
    """The equations of a step, and the unknowns (n + m,) to start from."""

    equations: StepEquations
    guess: np.ndarray


class StepEnd(NamedTuple):
    """The state at the end of a step.

    Attributes:
        state: there.
        inertia: factored equations for accelerations there; None for a system without contact.
        going_on: (n,) acceleration there by contact that went on from the start; zero without any.
    """

    state: State
    inertia: ConstrainedInertia | None
    going_on: np.ndarray


class Verdict(NamedTuple):
    """Whether a step is accepted, and the length of the next one (or of the same one, tried again)."""

    accepted: bool
    length: float


class Outcome(NamedTuple):
    """Result of a step.

    Attributes:
        accepted: whether it is accepted.
        carried: where to continue: with the next step, or with the same one again.
        inertia: factored equations for accelerations at its state, see `take_step`.
        effort: spent.
        why: the iteration did not converge; None where it did.
    """

    accepted: bool
    carried: Carried
    inertia: ConstrainedInertia | None
    effort: Effort
    why: StepDiagnosis | None


def take_step(method: Method, carried: Carried, at_start: ConstrainedInertia | None) -> Outcome:
    """Return the result of a step: the stages one after the other, or their twin where that can take it.

    Args:
        method: of the run.
        carried: by the last step.
        at_start: for accelerations by contact at its state; None for a system without contact.
    """
    if method.compiled is not None and at_start is None:
        taken = method.compiled.take(
            carried.state, carried.past, carried.unknowns, carried.matrices, carried.length
        )
        if taken is not None:
            state, past, unknowns, matrices, error, effort = taken
            verdict, failed = _judged(method, carried, state, error, effort.iterations)
            following = Carried(state, verdict.length, past, matrices, unknowns, failed)
            if not verdict.accepted:
                following = replace(carried, length=verdict.length, matrices=matrices)
            return Outcome(verdict.accepted, following, None, effort, None)
    return take_staged_step(method, carried, at_start)


def take_staged_step(method: Method, carried: Carried, at_start: ConstrainedInertia | None) -> Outcome:
    """Return the result of a step by its stages; arguments as of `take_step`."""
    prediction = predict(method, carried, at_start)
    solved = solve_step(prediction.equations, prediction.guess, carried.matrices, method.accuracy)
    if isinstance(solved, Unsolved):
        failed = FailedLength.at(carried.length, carried.failed)
        again = replace(carried, length=carried.length / 4, matrices=solved.matrices, failed=failed)
        return Outcome(False, again, at_start, solved.effort, solved.why)
    corrected = correct(solved)
    error = estimate(method, carried, solved, corrected)
    verdict, last = _judged(method, carried, corrected.state, error, solved.effort.iterations)
    if not verdict.accepted:
        again = replace(carried, length=verdict.length, matrices=solved.matrices)
        return Outcome(False, again, at_start, solved.effort, None)
    following = accept(method, carried, solved, corrected, verdict.length, last)
    return Outcome(True, following, corrected.inertia, solved.effort, None)


def _judged(
    method: Method, carried: Carried, after: State, error: float, iterations: int
) -> tuple[Verdict, FailedLength | None]:
    """Return the verdict on a step with this many corrections, and the length that failed, if any is still avoided."""
    last = carried.failed
    if last is not None:
        last = last.after(carried.length, iterations, method.accuracy.iterations)
    return judge(method, carried if last is None else replace(carried, failed=last), after, error), last


def too_small(outcome: Outcome, why: StepDiagnosis | None) -> SolveError:
    """Return the error of a run that gives up after a step.

    Args:
        outcome: of that step.
        why: the iteration did not converge since the last accepted step; None where it always did.
    """
    reason = why or (_LIMITED if outcome.accepted else _REFUSED)
    time = amount(outcome.carried.state.time, "time", 6)
    return SolveError(f"The time step became too small at t = {time}{reason.clause}.", reason.hint)


def begin(method: Method, start: State, first_step: float) -> Carried:
    """Return the data for the first step."""
    length = method.largest_step if method.fixed_step else min(first_step, method.largest_step)
    start = replace(start, a=but(method.system.without_inertia, start.a))
    unknowns = Extrapolation.beginning(start.time, np.concatenate([start.a, start.multipliers]))
    past = method.scheme.beginning(start)
    return Carried(start, _limited(length, longest_step(method, start)), past, IterationMatrices(), unknowns)


def contact_inertia(
    system: DynamicSystem, time: float, q: np.ndarray, history: Any, last: ConstrainedInertia | None = None
) -> ConstrainedInertia:
    """Return the equations for accelerations at q (n,); `last` itself for constant mass without constraints."""
    mass = system.mass(q)
    if last is not None and last.mass is mass and not system.n_constraints:
        return last
    rows = system.constraints(time, q, history)[1]
    return ConstrainedInertia(mass, rows, system.without_inertia)


def longest_step(method: Method, state: State) -> float:
    """Limit: return the longest step that is allowed from a state."""
    limits = [method.largest_step]
    # No part turns further than allowed.
    spin = 0.0 if method.fixed_step else method.system.fastest_spin(state.v)
    if spin > 0.0:
        limits.append(method.largest_rotation / spin)
    # No first contact is missed, even with fixed steps.
    if method.system.may_meet:
        limits.append(method.system.longest_approach(state))
    return min(limits)


def _limited(length: float, longest: float) -> float:
    """Return an allowed length, a little below the longest, so that it does not change whenever that one does."""
    return length if length <= longest else 0.9 * longest


def predict(method: Method, carried: Carried, at_start: ConstrainedInertia | None) -> Prediction:
    """Predict: the scheme's formulas, continued contact, and a first guess of the unknowns."""
    system, state, length = method.system, carried.state, carried.length
    rule = method.scheme.rule(carried.past, state, length)
    continued = continued_contact(system, state, at_start, rule)
    equations = StepEquations.of_step(system, state, at_start, rule, continued)
    if state.contact_a is None or state.contact_multipliers is None:
        return Prediction(equations, carried.unknowns.at(equations.time))
    # The guess is the unknowns at the start, with their part by contact, which as far as it lasts is like a smooth one.
    a, multipliers = but(system.without_inertia, state.contact_a), state.contact_multipliers
    if continued is not None:
        lasting = [continued.acceleration, continued.multipliers]
        a, multipliers = a - continued.acceleration - continued.push, multipliers - continued.multipliers
    else:
        lasting = [np.zeros(system.n), np.zeros(len(multipliers))]
    by_contact = np.concatenate([rule.share * a, rule.contact_weight * multipliers])
    return Prediction(
        equations, np.concatenate([state.a, state.multipliers]) + np.concatenate(lasting) + by_contact
    )


def correct(solved: Solved) -> StepEnd:
    """Correct: return the state at the end, with accelerations and multipliers split into smooth ones and contact's."""
    equations, at = solved.equations, solved.last
    system, start, rule, n = equations.system, equations.start, equations.rule, equations.system.n
    a, multipliers = solved.unknowns[:n], solved.unknowns[n:]
    if at is None or at.contact is None or at.by_contact is None:
        q, v = rule.free_q + rule.by_q * a, rule.free_v + rule.by_v * a
        history = system.accepted(equations.time, q, start.history, v, multipliers)
        if system.without_inertia is not None:
            v, a = _followed(equations, q, v), but(system.without_inertia, a)
        return StepEnd(State(equations.time, q, v, a, multipliers, history), None, np.zeros(n))
    # Split again with mass and constraints of the end, where the next step starts.
    inertia = contact_inertia(system, equations.time, at.q, start.history, equations.at_start)
    sudden_a, sudden_multipliers = inertia.accelerations(acting(at.contact))
    contact_a, contact_multipliers = sudden_a, sudden_multipliers
    going_on, multipliers_going_on = np.zeros(n), np.zeros(len(multipliers))
    continued = lasted = None
    if equations.continued is not None and at.contact.going_on is not None:
        contact_a, contact_multipliers = inertia.accelerations(at.contact.force)
        going_on, multipliers_going_on = inertia.accelerations(at.contact.going_on)
        going_on = but(system.without_inertia, going_on)
        continued = rule.with_contact(equations.continued.before)
    a = but(system.without_inertia, a - rule.share * sudden_a - going_on)
    multipliers = multipliers - rule.contact_weight * sudden_multipliers - multipliers_going_on
    whole = multipliers + contact_multipliers
    history = system.accepted(equations.time, at.q, at.contact.history, at.v, whole)
    if at.contact.closed is not None and start.lasted is not None:
        known = zip(at.contact.closed, start.lasted, strict=True)
        lasted = tuple(np.where(mask, np.minimum(steps + 1, LASTING), 0) for mask, steps in known)
    v = _followed(equations, at.q, at.v)
    state = State(
        equations.time, at.q, v, a, multipliers, history, contact_a, contact_multipliers, at.contact.closed,
        at.contact.gaps, lasted, continued=continued,
    )  # fmt: skip
    return StepEnd(state, inertia, going_on)


def _followed(equations: StepEquations, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the velocities (n,) at the end; of quasi-static coordinates the mean over the step, (q − q₀)/h."""
    fast = equations.system.without_inertia
    return v if fast is None else np.where(fast, (q - equations.start.q) / equations.rule.length, v)


def estimate(method: Method, carried: Carried, solved: Solved, corrected: StepEnd) -> float:
    """Estimate: return the local error over the tolerance; zero where steps are fixed."""
    if method.fixed_step:
        return 0.0
    error = step_error(method.scheme, carried.past, solved, corrected)
    # Quasi-static coordinates have no error of time integration.
    return _filtered_error(solved, but(method.system.without_inertia, error), method.accuracy)


def _filtered_error(solved: Solved, error: np.ndarray, accuracy: Accuracy) -> float:
    """Return an estimate of the local error over the tolerance.

    For components that are too fast for the step the estimate grows with (ω h)² although the scheme damps them out.
    After the filter F (`Solved.filtered`) it is bounded there by their amplitude.

    Args:
        solved: the step.
        error: (n,) of q, see `step_error`.
        accuracy: of the run.
    """
    n = solved.equations.system.n
    right = np.zeros(len(solved.unknowns))
    rule = solved.equations.rule
    q = rule.free_q + rule.by_q * solved.unknowns[:n]
    right[:n] = rule.weight * solved.equations.system.inertia_forces(q, error)
    return accuracy.norm(solved.filtered(right)[:n])


def step_error(scheme: Scheme[Any], past: Any, solved: Solved, corrected: StepEnd) -> np.ndarray:
    """Return an estimate (n,) of the local error of q.

    It is the scheme's own estimate for smooth accelerations and those by lasting contact. For contact that opens or
    closes it is h² (a₁ − a₀)/12 where its mean acts. It is h² (a₁ − a₀)/3 where its force at the end acts: in a system
    without pairs, and with quasi-static coordinates.
    """
    equations, after, before = solved.equations, corrected.state, solved.equations.start
    going_on = (
        np.zeros(equations.system.n) if equations.continued is None else equations.continued.acceleration
    )
    error = scheme.error(
        past, replace(before, a=before.a + going_on), replace(after, a=after.a + corrected.going_on)
    )
    if equations.rule.of_start is None or after.contact_a is None or before.contact_a is None:
        return error
    sudden = (after.contact_a - corrected.going_on) - (before.contact_a - going_on)
    means = equations.continued is not None and equations.system.without_inertia is None
    return np.asarray(error + equations.rule.length**2 / (12.0 if means else 3.0) * sudden)


def judge(method: Method, carried: Carried, after: State, error: float) -> Verdict:
    """Judge: return whether a step is accepted by its error over the tolerance, and the length of the next one.

    Args:
        method: of the run.
        carried: data from the last step.
        after: the state at the end.
        error: see above.
    """
    accepted, length = error <= 1.0, carried.length
    if accepted and method.system.may_meet and method.system.has_overrun(carried.state, after):
        return Verdict(False, 0.5 * length)
    # A rejected step has usually met contact: its error is of lower order. An error that is no number is infinite.
    order = method.scheme.error_order(carried.past) - (0 if accepted else 1)
    size = max(error, 1e-12) if error < np.inf else np.inf
    factor = min(max(0.9 * size ** (-1 / max(order, 1)), 0.1), 2.0)
    longest = longest_step(method, after if accepted else carried.state)
    if carried.failed is not None:
        longest = min(longest, carried.failed.longest)
    changed = min(length * factor, longest)
    # Dead band: few changes, few Jacobians.
    grows = factor > 1.25 and (changed == method.largest_step or changed > 1.25 * length)
    return Verdict(accepted, changed if not accepted or factor < 0.9 or grows else _limited(length, longest))


def drawn(solved: Solved, state: State) -> State:
    """Return the state of an accepted step with its velocity for interpolation (`State.followed_v`)."""
    if state.contact_a is None:
        return state
    return replace(state, followed_v=_followed_velocity(solved, state))


def _followed_velocity(solved: Solved, after: State) -> np.ndarray:
    """Return (n,) the velocity at the end of a step, with vibrations too fast for it replaced by their mean.

    Contact that lasts acts with the mean of its forces, which damps nothing. A closed joint of 1 MHz keeps vibrating
    after an impact by nanometres, but with a velocity v₁ − Δq/h that is large and changes its sign with each step;
    interpolation with such slopes bulges by micrometres between the steps.

    (I − F)² (v₁ − Δq/h) is subtracted: all of it where ω h is large; of components that the step resolves a share of
    (ω h)⁴ only. Velocities that the constraints require, such as one that turns along a circle, do not change.
    """
    equations, at = solved.equations, solved.last
    if at is None:
        return after.v
    n = equations.system.n

    def along_constraints(velocity: np.ndarray) -> np.ndarray:
        right = np.concatenate([np.zeros(n), at.rows @ velocity])
        return np.asarray(velocity - solved.filtered(right)[:n])

    apart = along_constraints(after.v - (after.q - equations.start.q) / equations.rule.length)
    for _ in range(2):
        push = np.concatenate([equations.rule.weight * (at.mass @ apart), np.zeros(len(at.rows))])
        # The matrix may be some steps old, its constraints have turned since.
        apart = along_constraints(apart - solved.filtered(push)[:n])
    return np.asarray(after.v - apart)


def accept(
    method: Method,
    carried: Carried,
    solved: Solved,
    corrected: StepEnd,
    length: float,
    failed: FailedLength | None = None,
) -> Carried:
    """Accept: return the data for the next step, of a given length, with the length that failed."""
    state = drawn(solved, corrected.state)
    past = method.scheme.with_step(
        carried.past, solved.equations.rule, carried.state, state, corrected.going_on
    )
    unknowns = carried.unknowns
    if state.contact_a is None:
        found = np.concatenate([state.a, state.multipliers])
        unknowns = unknowns.with_step(state.time, found, method.system.scales)
    return Carried(state, length, past, solved.matrices, unknowns, failed)
