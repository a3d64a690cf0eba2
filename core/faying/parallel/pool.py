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
    """A piece has no result because its process died.

    Attributes:
        error: raised or passed on if the piece is not computed after all.
        blames: "piece" when this piece killed the process; "somebody" when one of the pieces that ran then did;
            "nobody" when no piece did, such as where a cluster lost data.
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
        """Submit a piece; new processes are started where some have died."""

    @abstractmethod
    def death(self, future: Future[list[Any]]) -> Death | None:
        """Return the `Death` of a completed future whose process died; None for any other."""

    @abstractmethod
    def waits_for(self) -> str:
        """Return the progress text for the time before any piece has reported."""

    @abstractmethod
    def close(self) -> None:
        """End all running pieces; their results are dropped."""
