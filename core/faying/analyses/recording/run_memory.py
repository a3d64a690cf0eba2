"""Memory of a time integration beside its frames, from which an interrupted run is continued."""

from collections.abc import Mapping
from typing import Any, Protocol

from faying.results.interrupted import InterruptedRun
from faying.solvers.integrators import Recall, RunMemory, State


class Sums(Protocol):
    """Sums over the steps of a run, such as an energy balance."""

    def checkpoint(self) -> dict[str, Any]:
        """Return the sums so far, as values that `faying.packed` can store."""

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore the sums of an interrupted run."""


class MemoryOfRun:
    """Start and sums of a run; those of an interrupted run are restored.

    Args:
        start: state at the start of the run.
        earlier: the interrupted run that this one continues; None for none.
        sums: by name, made for the start.
    """

    def __init__(self, start: State, earlier: InterruptedRun | None, sums: Mapping[str, Sums]) -> None:
        self._start, self._sums = start, sums
        self._went_on: tuple[float, ...] = ()
        self.run: RunMemory | None = None
        if earlier is not None:
            run: RunMemory = earlier.memory["run"]
            self.run, self._went_on = run, (*earlier.memory["went_on"], run.time)
            for name, member in sums.items():
                member.restore(earlier.memory[name])

    def of(self, recall: Recall) -> dict[str, Any] | None:
        """Return the whole memory, with that of the integrator; None in the middle of a step."""
        run = recall()
        if run is None:
            return None
        sums = {name: member.checkpoint() for name, member in self._sums.items()}
        return {"start": self._start, "run": run, "went_on": self._went_on, **sums}

    def summary(self) -> dict[str, list[float]]:
        """Return the times at which the run was continued after an interruption, for its report; {} without any."""
        return {"went_on_at": list(self._went_on)} if self._went_on else {}
