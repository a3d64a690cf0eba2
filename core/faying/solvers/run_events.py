"""What a time integrator asks of the events of a run."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from faying.solvers.integrators import DynamicSystem, State


class Watched(NamedTuple):
    """What conditions that are to be located say of a state, k of them.

    Attributes:
        values: (k,) what is zero where each becomes true.
        crossed: (k,) which became true since the last accepted state.
    """

    values: np.ndarray
    crossed: np.ndarray


@dataclass(frozen=True, eq=False)
class NewBeginning:
    """What a run goes on from behind an event that changes something.

    Attributes:
        system: that moves from now on.
        q, v: (n,) position and velocity.
        history: of the system.
        largest_step: from now on; None for that of the settings.
    """

    system: DynamicSystem
    q: np.ndarray
    v: np.ndarray
    history: Any
    largest_step: float | None


class RunEvents(Protocol):
    """The events of a run, as an integrator sees them; nothing to inherit.

    Attributes:
        ended: whether one of them ended the run.
        largest_step: that one of them has set; None for none.
        tolerances: (k,) of the times of the conditions to be located; zero for a small share of the step.
        standing: (k,) their values at the last accepted state.
    """

    ended: bool
    largest_step: float | None
    tolerances: np.ndarray
    standing: np.ndarray

    def next_time(self, time: float) -> float:
        """Return the next given time after a time, at which a step has to end; infinity for none."""

    def watch(self, before: State, after: State) -> Watched:
        """Return what the conditions to be located say of the end of a step."""

    def turning(self, before: State, after: State) -> float | None:
        """Return the time within a step at which a value turns beyond zero and comes back; None for no such step."""

    def act(self, before: State, after: State) -> NewBeginning | None:
        """Let happen what happens at the end of an accepted step; return what the run goes on from.

        None for nothing that changes the motion.
        """

    def begun(self, after: State, state: State) -> NewBeginning | None:
        """Take the consistent state from which the run goes on at the same time; return what changes it once more."""
