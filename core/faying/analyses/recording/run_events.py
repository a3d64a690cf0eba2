"""The events of a motion: when they happen, what they did, and the system that moves behind them."""

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from faying.analyses.recording.measure_memory import MeasureMemory, observed
from faying.errors import SolveError
from faying.multibody.event_actions import Moment
from faying.multibody.events import Event
from faying.multibody.measures import Measure, Observation, in_order, measured
from faying.multibody.running_system import RunningSystem
from faying.multibody.switching import free_parts
from faying.solvers.integrators import State, consistent_start, interpolate
from faying.solvers.run_events import NewBeginning, Watched
from faying.units import amount

_CHATTERS = 100  # steps: an event that happens as often in them chatters
# Of the longest step: an event that happens again as soon, four times in a row, comes to rest by ever smaller bounces.
_SHORT, _SHORT_ONES = 1e-2, 4
_NEAR = 1e-6  # of a step: a vertex nearer to its ends is none
_LISTED = 1000  # events that a report lists


class MotionEvents:
    """Lets the events of a motion happen; a `faying.solvers.run_events.RunEvents`.

    Args:
        events: of the system.
        running: the system, changed by them.
        measures: all measures of the system.
        memory: what they remember, over the accepted steps of the run.
        start: of the run.
        begin_anew: called with the states before and behind what changes the motion.
        save: called with a state that is to become a frame; returns its number.
        fast: (n,) which coordinates are quasi-static in the run.

    Attributes: see `RunEvents`.
    """

    def __init__(
        self,
        events: Sequence[Event],
        running: RunningSystem,
        measures: Sequence[Measure],
        memory: MeasureMemory,
        start: State,
        begin_anew: Callable[[State, State], None],
        save: Callable[[State], int],
        fast: np.ndarray,
    ) -> None:
        self._fast = fast if fast.any() else None
        self._events, self._running, self._memory = tuple(events), running, memory
        self._begin_anew, self._save = begin_anew, save
        self._located = [event for event in events if event.is_located]
        wanted = {name for event in events for name in event.needs()}
        ordered = in_order(measures)
        for each in reversed(ordered):
            wanted |= set(each.needs()) if each.name in wanted else set()
        self._measures = [each for each in ordered if each.name in wanted]
        self.ended = False
        self.largest_step: float | None = None
        self.tolerances = np.array([event.time_tolerance() for event in self._located])
        self._sides = dict.fromkeys((event.name for event in self._events), 0)
        self._counts = dict.fromkeys((event.name for event in self._events), 0)
        self._last: dict[str, deque[int]] = {event.name: deque(maxlen=_CHATTERS) for event in self._located}
        self._when: dict[str, deque[float]] = {e.name: deque(maxlen=_SHORT_ONES) for e in self._located}
        self._longest = 0.0
        self._steps, self._list, self._saved = 0, list[dict[str, Any]](), dict[str, int]()
        self._saving: tuple[str, ...] = ()
        self._last_seen: tuple[State | None, dict[str, float]] = (None, {})
        self.standing = np.zeros(len(self._located))
        values = self._values(start, start, {})
        self._stand(values)
        for event in self._located:
            self._sides[event.name] = event.judge(0, event.value(values), start.time, start.time)[0]

    # --- called by the integrator

    def next_time(self, time: float) -> float:
        """Return the next given time, at which a step has to end."""
        return min((event.next_time(time) for event in self._waiting(self._events)), default=math.inf)

    def watch(self, before: State, after: State) -> Watched:
        """Return what the conditions to be located say of the end of a step."""
        if not any(map(self._left, self._located)):
            return Watched(self.standing, np.zeros(len(self._located), dtype=bool))
        there = self._standing_at(self._seen_at(before, after, self._memory.now))
        crossed = [
            self._left(event) and event.judge(self._sides[event.name], value, before.time, after.time)[1]
            for event, value in zip(self._located, there, strict=True)
        ]
        return Watched(there, np.array(crossed, dtype=bool))

    def turning(self, before: State, after: State) -> float | None:
        """Return the time within a step at which a value turns beyond zero and comes back; None for no such step.

        By a parabola through its values at both ends and halfway, and its value at the vertex of that.
        """
        if not any(map(self._left, self._located)):
            return None
        halfway = self._between(before, after, 0.5)
        end = self._standing_at(self._seen_at(before, after, self._memory.now))
        turns = []
        for k, event in enumerate(self._located):
            first, middle, last = float(self.standing[k]), float(halfway[k]), float(end[k])
            if not self._left(event) or first * last < 0.0:
                continue
            share = _vertex(first, middle, last)
            if share is None:
                continue
            there = float(self._between(before, after, share)[k])
            if there * (first + last) < 0.0 and abs(there) > event.dead_band():
                turns.append(before.time + share * (after.time - before.time))
        return min(turns, default=None)

    def act(self, before: State, after: State) -> NewBeginning | None:
        """Let happen what happens at the end of an accepted step."""
        self._steps, self._longest = self._steps + 1, max(self._longest, after.time - before.time)
        events, values = self._events, dict[str, float]()
        if any(map(self._left, self._located)):
            values = self._seen_at(before, after, self._memory.before)
            self._stand(values)
        else:
            events = tuple(event for event in events if not event.is_located)
        happening = self._judge(events, values, before.time, after.time)
        new = self._happen(happening, after)
        if new is None:
            self._store(self._saving, after)
        return new

    def begun(self, after: State, state: State) -> NewBeginning | None:
        """Take the consistent state from which the run goes on; measures may have jumped over other levels there."""
        self._begin_anew(after, state)
        values = self._values(after, state, self._memory.before)
        happening = [] if self.ended else self._judge(self._located, values, state.time, state.time)
        self._stand(values)
        new = self._happen(happening, state, saved=self._saving)
        if new is None:
            self._store(self._saving, state)
        return new

    # --- called by the analysis

    def checkpoint(self) -> dict[str, Any]:
        """Return all that an interrupted run needs to go on."""
        return {
            "system": self._running.remembered(), "sides": self._sides, "counts": self._counts,
            "last": {name: list(steps) for name, steps in self._last.items()},
            "when": {name: list(times) for name, times in self._when.items()}, "longest": self._longest,
            "steps": self._steps, "list": self._list, "saved": self._saved, "ended": self.ended,
            "standing": self.standing, "largest_step": self.largest_step or 0.0,
        }  # fmt: skip

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Go on from `checkpoint`: the system is as it was there."""
        self._running.restore(checkpoint["system"])
        self._sides, self._counts = dict(checkpoint["sides"]), dict(checkpoint["counts"])
        for name, steps in checkpoint["last"].items():
            self._last[name] = deque(steps, maxlen=_CHATTERS)
            self._when[name] = deque(checkpoint["when"][name], maxlen=_SHORT_ONES)
        self._longest = checkpoint["longest"]
        self._steps, self._list, self._saved = (
            checkpoint["steps"],
            list(checkpoint["list"]),
            dict(checkpoint["saved"]),
        )
        self.ended, self.standing = checkpoint["ended"], checkpoint["standing"]
        self.largest_step = checkpoint["largest_step"] or None

    def summary(self) -> dict[str, Any]:
        """Return the report's entries: what happened, in order, and the numbers of frames that were stored."""
        if not self._events:
            return {}
        return {
            "events": self._list,
            "event_counts": self._counts,
            **({"saved_frames": self._saved} if self._saved else {}),
        }

    # --- small things

    def _judge(
        self, events: Sequence[Event], values: Mapping[str, float], since: float, time: float
    ) -> list[Event]:
        """Return the events that happen at the end of a step, and bring all sides up to date."""
        happening = []
        for event in events:
            value = event.value(values) if event.is_located else 0.0
            self._sides[event.name], happens = event.judge(self._sides[event.name], value, since, time)
            if happens and self._left(event):
                happening.append(event)
        return happening

    def _happen(self, events: Sequence[Event], at: State, saved: tuple[str, ...] = ()) -> NewBeginning | None:
        """Let events happen at a state; return what the run goes on from if they change the motion."""
        moment = Moment(
            "",
            self._running.now,
            at.time,
            at.q,
            at.v,
            at.history,
            saved=saved,
            largest_step=self.largest_step,
            without_inertia=self._fast,
        )
        for event in events:
            moment = self._done(event, moment)
        self.ended, self.largest_step, self._saving = (
            self.ended or moment.ends,
            moment.largest_step,
            moment.saved,
        )
        if not moment.restarts:
            return None
        self._running.become(moment.system)
        return NewBeginning(moment.system, moment.q, moment.v, moment.history, moment.largest_step)

    def _done(self, event: Event, before: Moment) -> Moment:
        """Return the moment after all that an event does.

        Raises:
            SolveError: when it chatters, or cannot do it.
        """
        self._counts[event.name] += 1
        if event.is_located:
            self._require_calm(event.name, before.time)
        moment = replace(before, event=event.name, did=())
        for action in event.actions:
            moment = action.act(moment)
        if len(self._list) < _LISTED:
            free = set(free_parts(before.system))
            entry = {"name": event.name, "time": moment.time, "did": list(moment.did)}
            if moment.restarts:
                energies = [sum(each.system.own_energies(each.q, each.v)) for each in (before, moment)]
                entry["energy_lost"] = energies[0] - energies[1]
            if new := [part for part in free_parts(moment.system) if part not in free]:
                entry["free_parts"] = new
            self._list.append(entry)
        return moment

    def _require_calm(self, name: str, time: float) -> None:
        """Refuse an event that happens in every step, or again and again within a small part of one.

        Raises:
            SolveError: names event and time.
        """
        steps, times = self._last[name], self._when[name]
        steps.append(self._steps)
        times.append(time)
        often = len(steps) == _CHATTERS and self._steps - steps[0] < _CHATTERS
        short = len(times) == _SHORT_ONES and max(np.diff(times)) < _SHORT * self._longest
        if often or short:
            told = f"in each of the last {_CHATTERS} steps before t = {amount(time, 'time', 6)}."
            if short:
                apart = amount(times[-1] - times[-2], "time", 2)
                told = f"{_SHORT_ONES} times up to t = {amount(time, 'time', 6)}, the last two {apart} apart."
            raise SolveError(
                f"The event {name!r} chatters: it happened {told}",
                "Limit how many times it happens, give it a hysteresis, or let it activate a constraint.",
            )

    def _store(self, labels: Sequence[str], state: State) -> None:
        """Store a state as a frame if it is to be, or if the run ends there."""
        if labels or self.ended:
            number = self._save(state)
            for label in labels:
                self._saved[label if label not in self._saved else f"{label} {self._counts_of(label)}"] = (
                    number
                )

    def _counts_of(self, label: str) -> int:
        return sum(name == label or name.rpartition(" ")[0] == label for name in self._saved) + 1

    def _left(self, event: Event) -> bool:
        return not event.times or self._counts[event.name] < event.times

    def _waiting(self, events: Sequence[Event]) -> list[Event]:
        return [event for event in events if self._left(event)]

    def _stand(self, values: Mapping[str, float]) -> None:
        self.standing = self._standing_at(values)

    def _standing_at(self, values: Mapping[str, float]) -> np.ndarray:
        return np.array([event.value(values) for event in self._located])

    def _between(self, before: State, after: State, share: float) -> np.ndarray:
        """Return (k,) the values of the located conditions at a share of a step, interpolated."""
        time = before.time + share * (after.time - before.time)
        q, v = interpolate(before, after, time)
        multipliers, a = (
            (1.0 - share) * one + share * other
            for one, other in (
                (before.all_multipliers, after.all_multipliers), (before.all_accelerations, after.all_accelerations),
            )
        )  # fmt: skip
        state = State(time, q, v, a, multipliers, after.history)
        return self._standing_at(self._values(before, state, self._memory.now))

    def _seen_at(self, before: State, after: State, remembered: Mapping[str, np.ndarray]) -> dict[str, float]:
        """Return the values at the end of a step, which is looked at up to three times."""
        if self._last_seen[0] is not after:
            self._last_seen = after, self._values(before, after, remembered)
        return self._last_seen[1]

    def _values(self, before: State, after: State, remembered: Mapping[str, np.ndarray]) -> dict[str, float]:
        if not self._measures:
            return {}
        if all(each.of_motion_alone for each in self._measures):
            at = Observation(self._running, after, before.history, remembered=remembered)
        else:
            # Reactions of a short step have the constraints' drift of velocity over its length in them; those that
            # belong to position and velocity have not.
            exact = consistent_start(self._running.now, after.time, after.q, after.v, after.history)
            at = observed(self._running, before, exact, remembered)
        return measured(self._measures, at)


def _vertex(first: float, middle: float, last: float) -> float | None:
    """Return where in (0, 1) the parabola through values at 0, ½ and 1 has its vertex, if that is beyond zero."""
    bend, slope = 2.0 * (first + last - 2.0 * middle), 4.0 * middle - 3.0 * first - last
    if bend == 0.0:
        return None
    share = -0.5 * slope / bend
    beyond = (first - 0.25 * slope**2 / bend) * (first + last) < 0.0
    return share if beyond and _NEAR < share < 1.0 - _NEAR else None
