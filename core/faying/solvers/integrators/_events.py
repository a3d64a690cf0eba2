"""Events within a run: a step ends where one happens, and the run begins anew behind it.

Where a condition becomes true within a step is found by the step itself: it is repeated with other lengths until it
ends there, so that the state fulfils the equations. Interpolation between both ends would not.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from faying.solvers.integrators import ConstrainedInertia, DynamicSystem, State, consistent_start
from faying.solvers.integrators._cut_step import length_to, take_cut_step
from faying.solvers.integrators._newton import Effort
from faying.solvers.integrators._step import Carried, Method, Outcome
from faying.solvers.run_events import NewBeginning, RunEvents, Watched

# Of the step, where an event sets no tolerance; and how often a step is repeated for one event at most.
_TOLERANCE, _TRIES = 1e-9, 60
# Of the largest step. In shorter ones round-off of positions is a large acceleration: by 1e-13 s it would change the
# velocity of a constrained part by a millimetre per second. They go by the accelerations at their start.
_SHORTEST = 1e-4


class WatchedStep(NamedTuple):
    """The result of a step, and whether the run has to begin anew behind it."""

    outcome: Outcome
    begins_anew: bool = False


def take_watched_step(
    method: Method, carried: Carried, at_start: ConstrainedInertia | None, events: RunEvents
) -> WatchedStep:
    """Return the result of a step that ends at the first event within it."""
    start = carried.state
    left = min(events.next_time(start.time), method.system.next_jump(start)) - start.time
    length = length_to(left, carried.length) if left < np.inf else carried.length
    outcome = take_cut_step(method, carried, at_start, length)
    if not outcome.accepted or not len(events.standing):
        return WatchedStep(outcome)

    def whole_step(length: float) -> Outcome:
        return take_cut_step(method, carried, at_start, length)

    def short_step(length: float) -> Outcome:
        return _by_accelerations(method, carried, at_start, length)

    shortest = _SHORTEST * method.largest_step
    seen = events.watch(start, outcome.carried.state)
    if not seen.crossed.any():
        turns = events.turning(start, outcome.carried.state)
        if turns is None or turns - start.time < shortest:
            return WatchedStep(outcome)
        # First to where it turns: the way back is for the next step to find.
        shorter = whole_step(turns - start.time)
        outcome = _with_effort(shorter, outcome) if shorter.accepted else outcome
        if not shorter.accepted or not (seen := events.watch(start, outcome.carried.state)).crossed.any():
            return WatchedStep(outcome)
    if outcome.carried.state.time - start.time > shortest:
        outcome = _located(start, events, outcome, seen, whole_step, shortest)
    if outcome.carried.state.time - start.time > shortest * (1.0 + 1e-6):
        return WatchedStep(outcome)
    seen = events.watch(start, outcome.carried.state)
    return WatchedStep(_located(start, events, outcome, seen, short_step, 0.0), begins_anew=True)


def _located(
    start: State,
    events: RunEvents,
    outcome: Outcome,
    seen: Watched,
    take: Callable[[float], Outcome],
    shortest: float,
) -> Outcome:
    """Return the result of a step that ends just behind the first condition that becomes true within a step.

    Illinois variant of regula falsi over the length of the step (Dowell and Jarratt, BIT 11, 1971), with a bisection
    where that gains little, as for a measure that jumps.

    Args:
        start: of the step.
        events: whose conditions are looked for.
        outcome, seen: of the whole step, within which one became true.
        take: returns the result of a step of a length.
        shortest: length below which none is taken; the search ends there where something has become true before.
    """
    low, high = 0.0, outcome.carried.state.time - start.time
    below, above = events.standing.copy(), seen.values.copy()
    crossed, last, halve = seen.crossed, 0, False
    tolerances = np.where(events.tolerances > 0.0, events.tolerances, _TOLERANCE * high)
    for _ in range(_TRIES):
        tolerance, width = float(tolerances[crossed].min()), high - low
        if width <= tolerance or high <= shortest:
            break
        guess = 0.5 * (low + high)
        if not halve:
            shares = below[crossed] / (below[crossed] - above[crossed])
            guess = low + width * float(np.nanmin(shares, initial=1.0))
        # Never nearer to an end than a third of the tolerance: the next one then has the crossing in between.
        guess = max(min(max(guess, low + tolerance / 3.0), high - tolerance / 3.0), shortest)
        trial = take(guess)
        if not trial.accepted:
            break  # shorter than what the equations allow: the last one stands
        trial, outcome = _with_effort(trial, outcome), _with_effort(outcome, trial)
        there = events.watch(start, trial.carried.state)
        if there.crossed.any():
            high, above, crossed, outcome = guess, there.values.copy(), there.crossed, trial
            below = 0.5 * below if last > 0 else below
            last = 1
        else:
            low, below = guess, there.values.copy()
            above = 0.5 * above if last < 0 else above
            last = -1
        halve = not halve and high - low > 0.5 * width
    return outcome


def _by_accelerations(
    method: Method, carried: Carried, at_start: ConstrainedInertia | None, length: float
) -> Outcome:
    """Return the result of a very short step by the accelerations at its start; the scheme does not know of it."""
    start = carried.state
    a = start.all_accelerations
    q, v, time = start.q + length * (start.v + 0.5 * length * a), start.v + length * a, start.time + length
    history = method.system.accepted(time, q, start.history, v, start.all_multipliers)
    state = replace(start, time=time, q=q, v=v, history=history, followed_v=None)
    return Outcome(True, replace(carried, state=state), at_start, Effort(0, 0), None)


def _with_effort(one: Outcome, other: Outcome) -> Outcome:
    """Return the first of two tries of a step with the effort of both."""
    iterations, jacobians = (a + b for a, b in zip(one.effort, other.effort, strict=True))
    return one._replace(effort=Effort(iterations, jacobians))


def begun_anew(system: DynamicSystem, at: State, new: NewBeginning) -> State:
    """Return the consistent state from which a run goes on behind an event, at the same time.

    Args:
        system: that moves from now on, as the run moves it.
        at: the state at the event.
        new: what follows from it.
    """
    state = consistent_start(system, at.time, new.q, new.v, new.history)
    if state.closed is None or at.closed is None or at.lasted is None:
        return state
    # Pairs that have just closed are no lasting ones because of an event elsewhere.
    known = zip(state.closed, at.closed, at.lasted, strict=True)
    return replace(state, lasted=tuple(np.where(now & was, steps, 0) for now, was, steps in known))
