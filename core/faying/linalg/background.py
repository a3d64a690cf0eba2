"""Runs long library calls in a thread, so that the caller can report progress and be cancelled meanwhile."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from faying.progress import Progress

Found = TypeVar("Found")


class Background(Generic[Found]):
    """A function that runs in a background thread.

    Args:
        work: a long library call, which must release the interpreter lock (GIL).
    """

    def __init__(self, work: Callable[[], Found]) -> None:
        self._found: list[Found] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), name="background work", daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[], Found]) -> None:
        try:
            self._found.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
            self._error = error

    def wait(self, seconds: float) -> bool:
        """Wait at most some seconds; return whether the work has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def outcome(self) -> Found:
        """Return the result of the finished work, or raise its error."""
        if self._error is not None:
            raise self._error
        return self._found[0]


def patiently(work: Callable[[], Found], progress: Progress, fraction: float, text: str) -> Found:
    """Run the work in a thread and return its result; report progress five times per second.

    Cancelled work is not stopped: its thread runs to the end, and the result is dropped.

    Args:
        work: must not change objects that its caller continues to use.
        progress: reports and cancels.
        fraction, text: the report.

    Raises:
        Cancelled: on request.
    """
    progress.report(fraction, text)
    background = Background(work)
    while not background.wait(0.2):
        progress.report(fraction, text)
    return background.outcome()
