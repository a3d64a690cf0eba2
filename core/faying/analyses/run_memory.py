"""What a run over time remembers beside its frames, so that it goes on after an interruption."""

from collections.abc import Mapping
from typing import Any, Protocol

from faying.results.interrupted import InterruptedRun
from faying.solvers.integrators import Recall, RunMemory, State


class Sums(Protocol):
    """What is summed up over the steps of a run."""

    def memory(self) -> dict[str, Any]:
        """Return the sums so far, as `faying.packed` knows them."""

    def recall(self, memory: dict[str, Any]) -> None:
        """Take up the sums of another one."""


class MemoryOfRun:
    """Start and sums of a run; those of an interrupted one are taken up.

    Args:
        start: where the run began.
        earlier: the run that this one goes on from; None for none.
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
                member.recall(earlier.memory[name])

    def of(self, recall: Recall) -> dict[str, Any] | None:
        """Return all that is remembered, with the memory of the integrator; None in the middle of a step."""
        run = recall()
        if run is None:
            return None
        sums = {name: member.memory() for name, member in self._sums.items()}
        return {"start": self._start, "run": run, "went_on": self._went_on, **sums}

    def summary(self) -> dict[str, list[float]]:
        """Return at which times the run went on after an interruption, for its report; nothing without any."""
        return {"went_on_at": list(self._went_on)} if self._went_on else {}
