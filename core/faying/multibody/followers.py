"""Forces that follow measures and controllers: what these remember, samples that are due, and how states change."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from faying.multibody.connections import Alone
from faying.multibody.following import Measured
from faying.multibody.forces import Force, differences
from faying.multibody.history import History
from faying.multibody.idle_force import IdleForce
from faying.multibody.markers import MarkerMotion
from faying.solvers.integrators import State

_STEP = 1e-6  # of states in derivatives, relative to their size

_Member = tuple[int, Measured, Alone]  # number among the forces, force, its markers


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

    def over(self, shapes: np.ndarray, rates: np.ndarray) -> "ControlStates":
        """Return them for δq = S y and δv = S y' + Ṡ y with S, Ṡ (n, k): B and G over y and y', H as Sᵀ H."""
        by_place = self.by_place @ shapes + self.by_speed @ rates
        return ControlStates(
            self.names, self.by_states, by_place, self.by_speed @ shapes, shapes.T @ self.force
        )


class Followers:
    """The forces of a system that follow measures; controllers of those that are switched off go on by themselves.

    Args:
        members: all forces of the system.
        alone: of each the markers over the coordinates of their parts.
    """

    def __init__(self, members: Sequence[Force], alone: Sequence[Alone]) -> None:
        whole = (f.force if isinstance(f, IdleForce) else f for f in members)
        self._members = [(k, f, at) for (k, f), at in zip(enumerate(whole), alone, strict=True)
                         if isinstance(f, Measured)]  # fmt: skip
        self._idle = {k for k, f in enumerate(members) if isinstance(f, IdleForce)}
        self._controlled = [each for each in self._members if any(s.has_states for s in each[1].scalars)]

    def memories(self, history: History) -> dict[str, np.ndarray]:
        """Return what (k,) each controller that is followed remembers in a history, by its name."""
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

    def frozen(
        self, history: History, names: Sequence[str] = (), changes: np.ndarray | None = None
    ) -> History:
        """Return a history in which the states of continuous controllers stay at its time for whatever inputs.

        Args:
            history: see above.
            names: (s,) of the controllers of states that are changed.
            changes: (s,) of these.
        """
        if not self._controlled:
            return history
        angles, owners = list(history.force_angles), np.array(names, dtype=object)
        for k, member, _ in self._controlled:
            own = member.memories(angles[k])
            for scalar in (each for each in member.scalars if each.has_states):
                memory = scalar.frozen(own[scalar.name])
                if changes is not None and scalar.name in names:
                    states = scalar.states_of(memory) + changes[owners == scalar.name]
                    memory = scalar.with_states(memory, states)
                own[scalar.name] = memory
            angles[k] = member.with_memories(angles[k], own)
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
            at, own = member.seen(motions, state.time, angles[k]), member.memories(angles[k])
            values, before = dict[str, float](), at
            for scalar in member.scalars:
                if scalar.has_states:
                    own[scalar.name] = scalar.after_sample(at, values)
                    at = at._replace(remembered=dict(own))
                values[scalar.name] = scalar.of_motion(at, values)
            for scalar in member.scalars:
                if scalar.breaks_loops:  # some of its inputs were not known before its output
                    own[scalar.name] = scalar.after_sample(before, values)
            angles[k] = member.with_memories(angles[k], own)
        history: History = replace(state.history, force_angles=tuple(angles))
        return history

    def control_states(
        self, time: float, q: np.ndarray, v: np.ndarray, history: History
    ) -> ControlStates | None:
        """Return the linearised states of continuous controllers at a state; None without any."""
        found, at = self._continuous()
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
            # A part may have several of the markers, and its columns with each.
            np.add.at(force, np.ix_(columns, own), virtual.T @ np.array(wrenches).T)
            place, speed = differences(lambda side: moving.at(side, states)[0], motions)  # noqa: B023
            place = place @ virtual + speed @ connections.rate_changes(places, q[columns], v[columns])
            speed = speed @ virtual
            # A controller that several forces follow has one row.
            new = np.array([c.name not in done for c in controllers for _ in range(c.order)])
            by_states[np.ix_(own[new], own)] = np.array(rates).T[new]
            np.add.at(by_place, np.ix_(own[new], columns), place[new])
            np.add.at(by_speed, np.ix_(own[new], columns), speed[new])
            done |= {c.name for c in controllers}
        names = tuple(name for name, own in at.items() for _ in range(own.stop - own.start))
        return ControlStates(names, by_states, by_place, by_speed, force)

    def control_rates(self, time: float, q: np.ndarray, v: np.ndarray, history: History) -> np.ndarray:
        """Return (s,) the rates of the states of continuous controllers at a state, as `control_states` has them."""
        found, at = self._continuous()
        rates = np.zeros(max((own.stop for own in at.values()), default=0))
        for (k, member, alone), controllers in found:
            if controllers:
                moving = _Controlled(member, controllers, time, history.force_angles[k])
                own = np.concatenate([np.arange(at[c.name].start, at[c.name].stop) for c in controllers])
                rates[own] = moving.at(_motions(alone, q, v), moving.states)[0]
        return rates

    def _continuous(self) -> tuple[list[tuple[_Member, list[Any]]], dict[str, slice]]:
        """Return the forces with their continuous controllers that have states, and where these are among all."""
        found = [
            (each, [s for s in each[1].scalars if s.has_states and s.order and not s.sample_time])
            for each in self._controlled
            if each[0] not in self._idle
        ]
        at: dict[str, slice] = {}
        start = 0
        for controller in (c for _, controllers in found for c in controllers):
            if controller.name not in at:
                at[controller.name] = slice(start, start + controller.order)
                start += controller.order
        return found, at


class _Controlled:
    """A force with the states of its controllers given.

    Attributes:
        states: (s,) in what it remembers.
    """

    def __init__(self, member: Measured, controllers: Sequence[Any], time: float, angles: np.ndarray) -> None:
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
