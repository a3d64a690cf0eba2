"""Interface of a pool of processes for `faying.parallel`: an executor, and the messages of its processes."""

import queue
from abc import ABC, abstractmethod
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal

from faying.errors import FayingError
from faying.parallel.piece import Work

Inbox = queue.SimpleQueue[tuple[Any, ...]]
"""Messages: ("progress", number, fraction, text, values, go_on), ("log", record), ("done", future)."""


@dataclass(frozen=True)
class Death:
    """A piece without a result because its process died.

    Attributes:
        error: the error to raise or pass on if the piece is not computed in the end.
        blames: "piece" when this piece killed the process; "somebody" when one of the running pieces did; "nobody"
            when none did, for example when a cluster lost data.
    """

    error: FayingError
    blames: Literal["piece", "somebody", "nobody"]


class Pool(ABC):
    """Processes behind a `concurrent.futures.Executor`."""

    @abstractmethod
    def capacity(self) -> int:
        """Return how many pieces may be submitted at the same time, at least one."""

    @abstractmethod
    def submit(self, work: Work, number: int, piece: Any) -> Future[list[Any]]:
        """Submit a piece; start new processes in place of dead ones."""

    @abstractmethod
    def death(self, future: Future[list[Any]]) -> Death | None:
        """Return the `Death` of a completed future whose process died; None for any other future."""

    @abstractmethod
    def waits_for(self) -> str:
        """Return the progress text before any piece has reported."""

    @abstractmethod
    def close(self) -> None:
        """End all running pieces and drop their results."""
