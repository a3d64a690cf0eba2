"""Forces that follow measures and controllers: what these remember, samples that are due, and how states change."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from faying.multibody.connections import Alone, Connections
from faying.multibody.forces import Force, differences
from faying.multibody.forces._measured import Measured
from faying.multibody.history import History
from faying.multibody.markers import MarkerMotion
from faying.solvers.integrators import State

_STEP = 1e-6  # of states in derivatives, relative to their size


@dataclass(frozen=True, eq=False)
class ControlStates:
    """Small changes x of the states of continuous controllers: x' = A x + B δq + G δv, with forces H x.

    Attributes:
        names: (s,) of the controllers, one for each state.
        by_states, by_place, by_speed: A (s, s), B (s, n) and G (s, n).
        force: H (n, s).
    """

    names: tuple[str, ...]
    by_states: np.ndarray
    by_place: np.ndarray
    by_speed: np.ndarray
    force: np.ndarray


class Followers:
    """The forces of a system that follow measures.

    Args:
        members: all forces of the system.
        alone: of each the markers over the coordinates of their parts.
    """

    def __init__(self, members: Sequence[Force], alone: Sequence[Alone]) -> None:
        self._members = [(k, f, at) for (k, f), at in zip(enumerate(members), alone, strict=True)
                         if isinstance(f, Measured)]  # fmt: skip
        self._controlled = [each for each in self._members if any(s.has_states for s in each[1].scalars)]

    def memories(self, history: History) -> dict[str, np.ndarray]:
        """Return what each controller that is followed remembers in a history, by its name."""
        found: dict[str, np.ndarray] = {}
        for k, member, _ in self._controlled:
            own = member.memories(history.force_angles[k])
            found |= {s.name: own[s.name] for s in member.scalars if s.has_states}
        return found

    def at(self, time: float, q: np.ndarray, v: np.ndarray, last: History, history: History) -> History:
        """Return a history with what measures remember at a time, from that of the last accepted state."""
        if not self._members:
            return history
        angles = list(history.force_angles)
        for k, member, alone in self._members:
            angles[k] = member.remembered(_motions(alone, q, v), time, last.force_angles[k])
        return replace(history, force_angles=tuple(angles))

    def frozen(self, history: History) -> History:
        """Return a history in which the states of continuous controllers stay at its time for whatever inputs."""
        if not self._controlled:
            return history
        angles = list(history.force_angles)
        for k, member, _ in self._controlled:
            own = member.memories(angles[k])
            kept = {s.name: s.frozen(own[s.name]) for s in member.scalars if s.has_states}
            angles[k] = member.with_memories(angles[k], own | kept)
        return replace(history, force_angles=tuple(angles))

    def next_sample(self, history: History) -> float:
        """Return the time of the next sample of a controller; infinity where there is none."""
        times = [np.inf]
        for k, member, _ in self._controlled:
            own = member.memories(history.force_angles[k])
            times += [s.next_sample(own[s.name]) for s in member.scalars if s.has_states]
        return min(times)

    def after_samples(self, state: State) -> History:
        """Return the history of a state once the samples that are due at its time are taken."""
        angles = list(state.history.force_angles)
        for k, member, alone in self._controlled:
            motions = _motions(alone, state.q, state.v)
            at, own, values = member.seen(motions, state.time, angles[k]), member.memories(angles[k]), {}
            for scalar in member.scalars:
                if scalar.has_states:
                    own[scalar.name] = scalar.after_sample(at, values)
                    at = at._replace(remembered=at.remembered | {scalar.name: own[scalar.name]})
                values[scalar.name] = scalar.of_motion(at, values)
            angles[k] = member.with_memories(angles[k], own)
        return replace(state.history, force_angles=tuple(angles))

    def control_states(
        self, time: float, q: np.ndarray, v: np.ndarray, history: History
    ) -> ControlStates | None:
        """Return the linearised states of continuous controllers at a state; None without any."""
        found = [(each, [s for s in each[1].scalars if s.has_states and s.order and not s.sample_time])
                 for each in self._controlled]  # fmt: skip
        at: dict[str, slice] = {}
        for _, controllers in found:
            for controller in controllers:
                if controller.name not in at:
                    start = max((own.stop for own in at.values()), default=0)
                    at[controller.name] = slice(start, start + controller.order)
        if not at:
            return None
        size, n = max(own.stop for own in at.values()), len(q)
        by_states, by_place, by_speed = np.zeros((size, size)), np.zeros((size, n)), np.zeros((size, n))
        force, done = np.zeros((n, size)), set[str]()
        for (k, member, alone), controllers in found:
            if not controllers:
                continue
            moving = _Controlled(member, controllers, time, history.force_angles[k])
            own = np.concatenate([np.arange(at[c.name].start, at[c.name].stop) for c in controllers])
            motions = _motions(alone, q, v)
            connections, places, columns = alone
            virtual = connections.virtual(places, motions)
            states = moving.states
            rates, wrenches = [], []
            for j in range(len(states)):
                step = np.zeros(len(states))
                step[j] = _STEP * max(abs(states[j]), 1.0)
                ahead, behind = (moving.at(motions, states + s) for s in (step, -step))
                rates.append((ahead[0] - behind[0]) / (2.0 * step[j]))
                wrenches.append((ahead[1] - behind[1]) / (2.0 * step[j]))
            force[np.ix_(columns, own)] += virtual.T @ np.array(wrenches).T
            place, speed = differences(lambda side: moving.at(side, states)[0], motions)  # noqa: B023
            place = place @ virtual + speed @ connections.rate_changes(places, q[columns], v[columns])
            speed = speed @ virtual
            # A controller that several forces follow has one row.
            new = np.array([c.name not in done for c in controllers for _ in range(c.order)])
            by_states[np.ix_(own[new], own)] = np.array(rates).T[new]
            for whole, part in ((by_place, place), (by_speed, speed)):
                for column, number in enumerate(columns):  # a part may have several of the markers
                    whole[own[new], number] += part[new, column]
            done |= {c.name for c in controllers}
        names = tuple(name for name, own in at.items() for _ in range(own.stop - own.start))
        return ControlStates(names, by_states, by_place, by_speed, force)


class _Controlled:
    """A force with the states of its controllers given.

    Attributes:
        states: (s,) in what it remembers.
    """

    def __init__(self, member: Measured, controllers: Sequence, time: float, angles: np.ndarray) -> None:
        self._member, self._controllers, self._time, self._angles = member, controllers, time, angles
        own = member.memories(angles)
        self.states = np.concatenate([c.states_of(own[c.name]) for c in controllers])

    def at(self, markers: Sequence[MarkerMotion], states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the rates (s,) of the states and the wrenches (6 m,) for states (s,)."""
        member, values, rates, start = self._member, dict[str, float](), [], 0
        seen = member.seen(markers, self._time, self._angles)
        for scalar in member.scalars:
            if scalar in self._controllers:
                own = states[start : start + scalar.order]
                start += scalar.order
                inputs = scalar.inputs(self._time, values)
                rates.append(scalar.rates(own, inputs))
                values[scalar.name] = scalar.output(own, inputs)
            else:
                values[scalar.name] = scalar.of_motion(seen, values)
        return np.concatenate(rates), member.times(member.factor(values), markers, self._time, self._angles)


def _motions(alone: Alone, q: np.ndarray, v: np.ndarray) -> list[MarkerMotion]:
    connections, places, columns = alone
    return connections.motions(places, q[columns], v[columns])
