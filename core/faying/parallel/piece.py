"""One piece of work in the process that it was given to: it tells its progress, and its errors survive the way back."""

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
Tell = Callable[[int, float, str], None]

_inside: ContextVar[bool] = ContextVar("faying_piece", default=False)
_one_at_a_time = threading.Lock()  # what pieces share need not bear several threads


def is_piece() -> bool:
    """Return whether this is computed as a piece of something, whose parts have no processes of their own."""
    return _inside.get()


def carry_out(
    work: Work, shared: Callable[[], Any], number: int, piece: Any, tell: Tell, interval: float
) -> list[Any]:
    """Return all values of a piece.

    Args:
        work: see `faying.parallel.run_parallel`.
        shared: gives what all pieces need.
        number: of the piece.
        piece: the piece.
        tell: takes number, fraction and text; raises when nobody wants to know more.
        interval: s between two of these.

    Raises:
        Exception: what the work raised, or what says the same and survives pickling, with the trace as a note.
    """
    with _one_at_a_time:
        token = _inside.set(True)
        try:
            return list(work(shared(), piece, _Told(number, tell, interval)))
        except Cancelled:
            raise
        except Exception as error:  # noqa: BLE001 - raised again where the piece came from
            trace = traceback.format_exc()
            passed_on = portable(error)
            passed_on.add_note(trace)
            raise passed_on from None
        finally:
            _inside.reset(token)


class _Told:
    """The progress of a piece: tells now and then."""

    def __init__(self, number: int, tell: Tell, interval: float) -> None:
        self._number, self._tell, self._interval, self._next = number, tell, interval, 0.0

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        if time.monotonic() >= self._next:
            self._tell(self._number, float(fraction), text)
            self._next = time.monotonic() + self._interval


class LogSender(QueueHandler):
    """Sends log records, made so that they survive pickling."""

    def __init__(self, send: Callable[[logging.LogRecord], None]) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self._send = send

    def enqueue(self, record: logging.LogRecord) -> None:
        """Send a record."""
        self._send(record)


def portable(error: Exception) -> Exception:
    """Return the error, or one that says the same and survives pickling."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 - whatever its class thinks of being rebuilt
        if isinstance(error, FayingError):
            return FayingError(error.message, error.hint)
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
