"""Computes one task of work in its process, reports its progress, and makes its errors picklable."""

import logging
import pickle
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from logging.handlers import QueueHandler
from typing import Any

from faying.errors import Cancelled, FayingError
from faying.progress import Progress

Work = Callable[[Any, Any, Progress], Iterator[Any]]
Tell = Callable[[int, float, str, dict[str, Any]], None]

_inside: ContextVar[bool] = ContextVar("faying_task", default=False)
_one_at_a_time = threading.Lock()  # shared data need not be thread-safe


def is_task() -> bool:
    """Return whether this code runs inside a task; nested tasks get no processes of their own."""
    return _inside.get()


def carry_out(
    work: Work, shared: Callable[[], Any], number: int, task: Any, tell: Tell, interval: float
) -> list[Any]:
    """Return all values of a task.

    Args:
        work: see `faying.parallel.run_parallel`.
        shared: returns the data that all tasks share.
        number: number of the task.
        task: the task.
        tell: receives number, fraction, text and live values of a report; raises `Cancelled` when the run is cancelled.
        interval: shortest time between two reports, s.

    Raises:
        Exception: the work's own error, or a picklable one with the same text; the traceback is a note.
    """
    with _one_at_a_time:
        token = _inside.set(True)
        try:
            return list(work(shared(), task, _TaskProgress(number, tell, interval)))
        except Cancelled:
            raise
        except Exception as error:  # noqa: BLE001 - raised again in the owner's process
            trace = traceback.format_exc()
            passed_on = portable(error)
            passed_on.add_note(trace)
            raise passed_on from None
        finally:
            _inside.reset(token)


class _TaskProgress:
    """Progress of a task: reports at most once per interval, but always the solver used, which is recorded."""

    def __init__(self, number: int, tell: Tell, interval: float) -> None:
        self._number, self._tell, self._interval, self._next = number, tell, interval, 0.0

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        if "solver" in values or time.monotonic() >= self._next:
            self._tell(self._number, float(fraction), text, values)
            self._next = time.monotonic() + self._interval


class LogSender(QueueHandler):
    """Sends log records in picklable form."""

    def __init__(self, send: Callable[[logging.LogRecord], None]) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self._send = send

    def enqueue(self, record: logging.LogRecord) -> None:
        """Send a record."""
        self._send(record)


def portable(error: Exception) -> Exception:
    """Return the error, or a picklable error with the same text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 - its class may fail in any way when rebuilt
        if isinstance(error, FayingError):
            return FayingError(error.message, error.hint)
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
