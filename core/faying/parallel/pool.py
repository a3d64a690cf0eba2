"""What `faying.parallel` asks of a pool: an executor, and what its processes tell."""

import queue
from abc import ABC, abstractmethod
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal

from faying.errors import FayingError
from faying.parallel.piece import Work

Inbox = queue.SimpleQueue[tuple[Any, ...]]
"""Messages: ("progress", number, fraction, text, go_on), ("log", record), ("done", future)."""


@dataclass(frozen=True)
class Death:
    """That a piece has no outcome because its process died.

    Attributes:
        error: what is said of it when it stays so.
        blames: "piece" when it died of this one; "somebody" when one of those that ran then; "nobody" when the
            piece has no part in it, such as where data of a cluster were lost.
    """

    error: FayingError
    blames: Literal["piece", "somebody", "nobody"]


class Pool(ABC):
    """Processes behind a `concurrent.futures.Executor`."""

    @abstractmethod
    def capacity(self) -> int:
        """Return how many pieces it is handed at once, at least one."""

    @abstractmethod
    def submit(self, work: Work, number: int, piece: Any) -> Future[list[Any]]:
        """Hand a piece over; processes are there again after some have died."""

    @abstractmethod
    def death(self, future: Future[list[Any]]) -> Death | None:
        """Return how the process of a future that is done died; None when it did not."""

    @abstractmethod
    def waits_for(self) -> str:
        """Return what it waits for while no piece has told anything."""

    @abstractmethod
    def close(self) -> None:
        """End all that runs; nobody misses it."""
