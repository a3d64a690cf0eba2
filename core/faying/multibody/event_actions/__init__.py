"""What an event does to a moving system. A member is one file."""

from abc import abstractmethod
from dataclasses import dataclass, replace

import numpy as np

from faying.multibody.history import History
from faying.multibody.system import MultibodySystem
from faying.params import Member
from faying.registry import Registry

event_actions: Registry[type["EventAction"]] = Registry("action of an event", __name__)


@dataclass(frozen=True, eq=False)
class Moment:
    """A moving system at the time of an event, before or after some of what the event does.

    Attributes:
        event: name of the event.
        system: as it moves, without redundant equations.
        time: of the event.
        q, v: (n,) position and velocity.
        history: of the system.
        restarts: whether the time integration begins anew, for system or velocities are others.
        ends: whether the run ends.
        saved: names of the frames to be stored.
        largest_step: from now on; None for that of the settings.
        did: clauses that tell what was done, such as "releases 'hook'".
        without_inertia: (n,) mask of the coordinates that are quasi-static in the run; None for none.
    """

    event: str
    system: MultibodySystem
    time: float
    q: np.ndarray
    v: np.ndarray
    history: History
    restarts: bool = False
    ends: bool = False
    saved: tuple[str, ...] = ()
    largest_step: float | None = None
    did: tuple[str, ...] = ()
    without_inertia: np.ndarray | None = None

    def told(self, clause: str) -> "Moment":
        """Return the moment with one more clause on what was done."""
        return replace(self, did=(*self.did, clause))


class EventAction(Member):
    """One thing that an event does; those of one event follow each other."""

    def wakes(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the constraints and the forces that it lets act, by name; none by default."""
        return (), ()

    @abstractmethod
    def act(self, at: Moment) -> Moment:
        """Return the moment after it.

        Raises:
            SolveError: when it cannot be done; says why.
        """


def named(names: tuple[str, ...]) -> str:
    """Return names in quotes, one after the other."""
    return ", ".join(map(repr, names))
