"""What measures remember of the last accepted state of a run: integrals, extremes, full turns."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from faying.multibody.measures import Measure, Observation, in_order, measured
from faying.multibody.system import MultibodySystem
from faying.solvers.integrators import State


class MeasureMemory:
    """Follows the measures that remember something over the accepted steps of a run.

    Args:
        system: the multibody system.
        measures: all of its measures.
        start: state at the start of the run.
    """

    def __init__(self, system: MultibodySystem, measures: Sequence[Measure], start: State) -> None:
        self._system = system
        ordered = in_order(measures)
        at = Observation(system, start, start.history)
        self._remembering = [each.name for each in ordered if type(each).memory is not Measure.memory]
        needed = set(self._remembering)
        for each in reversed(ordered):
            needed |= set(each.needs()) if each.name in needed else set()
        self._members = [each for each in ordered if each.name in needed]
        # What forces follow is in the system's history.
        self._before: dict[str, np.ndarray] = system.followers.memories(start.history)
        self._now = self._updated(start, start, at.remembered) if self._members else {}

    @property
    def now(self) -> Mapping[str, np.ndarray]:
        """What each remembers (k,) of the last accepted state."""
        return self._now

    @property
    def before(self) -> Mapping[str, np.ndarray]:
        """What each remembers (k,) at the start of the last step; empty at the start of the run."""
        return self._before

    def see(self, before: State, after: State) -> None:
        """Take an accepted step."""
        if self._members:
            self._before = self._now | self._system.followers.memories(before.history)
            self._now = self._updated(before, after, self._before)

    def take_back(self) -> None:
        """Forget the last accepted step."""
        self._now = self._before

    def checkpoint(self) -> dict[str, Any]:
        """Return what is remembered, to resume an interrupted run."""
        return {"before": self._before, "now": self._now}

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore what `checkpoint` returned."""
        self._before, self._now = checkpoint["before"], checkpoint["now"]

    def _updated(
        self, before: State, after: State, remembered: Mapping[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        at = observed(self._system, before, after, remembered)
        values = measured(self._members, at)
        own = [each for each in self._members if each.name in self._remembering]
        found = {each.name: np.array(each.memory(at, values)) for each in own}
        return found | self._system.followers.memories(after.history)


def observed(
    system: MultibodySystem, before: State, after: State, remembered: Mapping[str, np.ndarray]
) -> Observation:
    """Return the end of a step as measures see it, with what they remember of its start."""

    def energies() -> dict[str, float]:
        kinetic, elastic, weight = system.energies(after.q, after.v, before.history)
        return energies_by_name(kinetic, elastic, weight, system.preload_work(after.q))

    step = after.time - before.time
    touched = system.contacts.respond(after.q, before.history.contacts, step)
    return Observation(system, after, before.history, touched, energies, remembered)


def energies_by_name(
    kinetic: float, elastic: float, weight: float, preload: float | None
) -> dict[str, float]:
    """Return the energies of a system as curves name them.

    Strain energy (never negative) and work of the preload have a curve each; the total has their difference.
    """
    return {
        "kinetic energy": kinetic,
        "elastic energy": elastic + (preload or 0.0),
        "potential energy": weight,
        "total energy": kinetic + elastic + weight,
    }
