"""Interface of a pool of processes for `faying.parallel`: an executor, and the messages of its processes."""

import queue
from abc import ABC, abstractmethod
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal

from faying.errors import FayingError
from faying.parallel.task import Work

Inbox = queue.SimpleQueue[tuple[Any, ...]]
"""Messages: ("progress", number, fraction, text, values, go_on), ("log", record), ("done", future)."""


@dataclass(frozen=True)
class Death:
    """A task without a result because its process died.

    Attributes:
        error: the error to raise or pass on if the task is not computed in the end.
        blames: "task" when this task killed the process; "somebody" when one of the running tasks did; "nobody"
            when none did, for example when a cluster lost data.
    """

    error: FayingError
    blames: Literal["task", "somebody", "nobody"]


class Pool(ABC):
    """Processes behind a `concurrent.futures.Executor`."""

    @abstractmethod
    def capacity(self) -> int:
        """Return how many tasks may be submitted at the same time, at least one."""

    @abstractmethod
    def submit(self, work: Work, number: int, task: Any) -> Future[list[Any]]:
        """Submit a task; start new processes in place of dead ones."""

    @abstractmethod
    def death(self, future: Future[list[Any]]) -> Death | None:
        """Return the `Death` of a completed future whose process died; None for any other future."""

    @abstractmethod
    def waits_for(self) -> str:
        """Return the progress text before any task has reported."""

    @abstractmethod
    def close(self) -> None:
        """End all running tasks and drop their results."""
