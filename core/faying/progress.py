"""Progress reports and cancelling of long computations."""

from typing import Any, Protocol

from faying.errors import Cancelled


class Progress(Protocol):
    """Receives reports of a running computation; `report` raises `Cancelled` when asked to stop."""

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        """Report how far the work is (0 to 1), in a few words, with live values by name if there are any.

        Raises:
            Cancelled: when the user asked to stop.
        """


class Silent:
    """A progress that reports nowhere."""

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        """Do nothing."""


class PartialProgress:
    """The share [start, end] of a larger progress, with a heading before every text."""

    def __init__(self, whole: Progress, start: float, end: float, heading: str = "") -> None:
        self._whole, self._start, self._end, self._heading = whole, start, end, heading

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        """Report to the whole, mapped into this part's share."""
        words = ": ".join(w for w in (self._heading, text) if w)
        span = self._end - self._start
        self._whole.report(self._start + span * min(max(fraction, 0.0), 1.0), words, **values)


class CancelFlag:
    """A progress that can be cancelled; the simplest canceller, used in tests and scripts."""

    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        """Make the next report raise `Cancelled`."""
        self.cancelled = True

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        """Raise `Cancelled` if asked to stop."""
        if self.cancelled:
            raise Cancelled
