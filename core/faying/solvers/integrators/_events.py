"""Events within a run: a step ends where one happens, and the run begins anew behind it.

Where a condition becomes true within a step is found by the step itself: it is repeated with other lengths until it
ends there, so that the state fulfils the equations. Interpolation between both ends would not.
"""

from dataclasses import replace

import numpy as np

from faying.solvers.integrators import ConstrainedInertia, DynamicSystem, State, consistent_start
from faying.solvers.integrators._cut_step import length_to, take_cut_step
from faying.solvers.integrators._newton import Effort
from faying.solvers.integrators._step import Carried, Method, Outcome
from faying.solvers.run_events import NewBeginning, RunEvents, Watched

# Of the step, where an event sets no tolerance; and how often a step is repeated for one event at most.
_TOLERANCE, _TRIES = 1e-9, 60


def take_watched_step(
    method: Method, carried: Carried, at_start: ConstrainedInertia | None, events: RunEvents
) -> Outcome:
    """Return the result of a step that ends at the first event within it."""
    start = carried.state
    left = events.next_time(start.time) - start.time
    length = length_to(left, carried.length) if left < np.inf else carried.length
    outcome = take_cut_step(method, carried, at_start, length)
    if not outcome.accepted or not len(events.standing):
        return outcome
    seen = events.watch(start, outcome.carried.state)
    if not seen.crossed.any():
        turns = events.turning(start, outcome.carried.state)
        if turns is None:
            return outcome
        # First to where it turns: the way back is for the next step to find.
        shorter = take_cut_step(method, carried, at_start, turns - start.time)
        outcome = _with_effort(shorter, outcome) if shorter.accepted else outcome
        if not shorter.accepted or not (seen := events.watch(start, outcome.carried.state)).crossed.any():
            return outcome
    return _located(method, carried, at_start, events, outcome, seen)


def _located(
    method: Method,
    carried: Carried,
    at_start: ConstrainedInertia | None,
    events: RunEvents,
    outcome: Outcome,
    seen: Watched,
) -> Outcome:
    """Return the result of a step that ends just behind the first condition that becomes true within a step.

    Illinois variant of regula falsi over the length of the step (Dowell and Jarratt, BIT 11, 1971), with a bisection
    where that gains little, as for a measure that jumps.
    """
    start = carried.state
    low, high = 0.0, outcome.carried.state.time - start.time
    below, above = events.standing.copy(), seen.values.copy()
    crossed, last, halve = seen.crossed, 0, False
    tolerances = np.where(events.tolerances > 0.0, events.tolerances, _TOLERANCE * high)
    for _ in range(_TRIES):
        tolerance, width = float(tolerances[crossed].min()), high - low
        if width <= tolerance:
            break
        guess = 0.5 * (low + high)
        if not halve:
            shares = below[crossed] / (below[crossed] - above[crossed])
            guess = low + width * float(np.nanmin(shares, initial=1.0))
        # Never nearer to an end than a third of the tolerance: the next one then has the crossing in between.
        guess = min(max(guess, low + tolerance / 3.0), high - tolerance / 3.0)
        trial = take_cut_step(method, carried, at_start, guess)
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
