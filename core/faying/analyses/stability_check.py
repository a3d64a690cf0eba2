"""Which equilibria of a run are unstable."""

from typing import Any

from faying.multibody.stability import leaving_part
from faying.multibody.system import MultibodySystem
from faying.solvers.integrators import State


class StabilityCheck:
    """Counts the equilibria that a system leaves at the slightest disturbance.

    Args:
        system: what rests.
    """

    def __init__(self, system: MultibodySystem) -> None:
        self._system = system
        self._found: dict[str, Any] = {}

    def see(self, at: State) -> None:
        """Take an equilibrium, whose velocities do not count."""
        part = leaving_part(self._system, at.q, at.all_multipliers, at.history, at.time)
        if part and not self._found:
            self._found = {"count": 1, "part": part, "time": at.time}
        elif part:
            self._found = {**self._found, "count": self._found["count"] + 1}

    def memory(self) -> dict[str, Any]:
        """Return how many are unstable, and of the first one the time and the part that leaves it; nothing for none."""
        return self._found

    def recall(self, memory: dict[str, Any]) -> None:
        """Take up what an earlier part of the run has seen."""
        self._found = memory

    def summary(self) -> dict[str, Any]:
        """Return what the report tells of them; nothing where all are stable or indifferent."""
        return {"unstable_equilibria": self._found} if self._found else {}
