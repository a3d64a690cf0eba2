"""Which equilibria of a run are unstable."""

from typing import Any

from faying.multibody.stability import leaving_part
from faying.multibody.system import MultibodySystem
from faying.solvers.integrators import State


class StabilityCheck:
    """Counts the unstable equilibria of a system.

    Args:
        system: the multibody system.
    """

    def __init__(self, system: MultibodySystem) -> None:
        self._system = system
        self._found: dict[str, Any] = {}

    def see(self, at: State) -> None:
        """Check an equilibrium; velocities of the state are ignored."""
        part = leaving_part(self._system, at.q, at.all_multipliers, at.history, at.time)
        if part and not self._found:
            self._found = {"count": 1, "part": part, "time": at.time}
        elif part:
            self._found = {**self._found, "count": self._found["count"] + 1}

    def checkpoint(self) -> dict[str, Any]:
        """Return the number of unstable equilibria, and time and moving part of the first one; {} without any."""
        return self._found

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore the sums of an interrupted run."""
        self._found = checkpoint

    def summary(self) -> dict[str, Any]:
        """Return the run report's entry; {} if all are stable or indifferent."""
        return {"unstable_equilibria": self._found} if self._found else {}
