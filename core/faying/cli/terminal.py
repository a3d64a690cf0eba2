"""Output to a terminal: progress as one rewritten line (into a file: one line per stage), control characters escaped.

Ctrl-C, SIGTERM and SIGHUP cancel.
"""

import re
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, TextIO

from faying.durations import duration
from faying.errors import Cancelled

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""What asks a command to end: Ctrl-C, what queues of computers and shutdowns send, and a terminal that is closed."""

_LONG = 3600.0  # s; a stage expected to take longer is announced on its own line

# Control characters: C0 except tab and new line, delete, C1, and marks that change the direction of writing.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def without_control(text: str) -> str:
    """Return the text with every control character escaped as in JSON, such as ``\\u001b``."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class PlainOutput:
    """A text stream that escapes control characters, so that names in foreign files cannot steer the terminal.

    Attributes:
        stream: output stream.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text without control characters."""
        self.stream.write(without_control(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def plain_output() -> Iterator[None]:
    """Escape control characters in everything that the block prints."""
    before = sys.stdout, sys.stderr
    # Both are None in a program without a console.
    sys.stdout, sys.stderr = (PlainOutput(each) if each else each for each in before)  # type: ignore[assignment]
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


class TerminalProgress:
    """A progress that writes to a stream (stderr by default).

    The heading before the first colon of a report's text is the stage. A finished stage that took time
    leaves a line "stage … 3.2 s".

    Args:
        stream: where to write; rewriting lines only when it is a terminal.
        quiet: write nothing.
    """

    def __init__(self, stream: TextIO | None = None, quiet: bool = False) -> None:
        stream = stream or sys.stderr
        self._stream = stream.stream if isinstance(stream, PlainOutput) else stream  # it rewrites its line
        self._rewrites = self._stream.isatty() and not quiet
        self._quiet = quiet
        self._begin = self._stage_begin = time.monotonic()
        self._stage, self._next = "", 0.0
        self._stop = False
        self._before: dict[signal.Signals, Any] = {}
        self._stage_fraction = 0.0
        self._told: set[str] = set()  # stages that were announced as long

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        """Show how far the work is.

        Raises:
            Cancelled: after Ctrl-C or SIGTERM.
        """
        if self._stop:
            raise Cancelled("Interrupted.")
        stage = text.split(": ", 1)[0]
        now = time.monotonic()
        if stage and stage != self._stage:
            self._end_stage(now)
            self._stage, self._stage_begin, self._stage_fraction, self._next = stage, now, fraction, 0.0
        long = values.get("seconds_left", 0.0)
        if long > _LONG and stage not in self._told:
            self._told.add(stage)
            steps = f"{values['steps_left']:.3g} steps"
            self._write(f"{stage}: at the pace of its first steps it takes {duration(long)} more, {steps}\n")
        if self._rewrites and now >= self._next:
            self._next = now + 0.1
            self._draw(fraction, text, values, now)

    def finish(self) -> None:
        """End the last stage and leave a clean line."""
        self._end_stage(time.monotonic())
        if self._rewrites:
            self._write("")
        self._stage = ""

    def __enter__(self) -> "TerminalProgress":
        if threading.current_thread() is threading.main_thread():
            heard = (each for each in ENDING if signal.getsignal(each) is not signal.SIG_IGN)  # as by nohup
            self._before = {each: signal.signal(each, self._interrupt) for each in heard}
        return self

    def __exit__(self, *error: object) -> None:
        for each, before in self._before.items():
            signal.signal(each, before)
        self.finish()

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        # An exception raised here could be swallowed in a callback of a library, so the next report raises it.
        # A second Ctrl-C interrupts at once.
        if self._stop:
            raise KeyboardInterrupt
        self._stop = True

    def _end_stage(self, now: float) -> None:
        if not self._stage:
            return
        spent = now - self._stage_begin
        if spent >= 0.05:
            self._write(f"{self._stage} … {spent:.1f} s\n")

    def _draw(self, fraction: float, text: str, values: dict[str, Any], now: float) -> None:
        # Remaining time from the pace of the present stage: stages differ too much for one pace.
        spent, done = now - self._stage_begin, fraction - self._stage_fraction
        left = spent / done * (1.0 - fraction) if done > 0.02 and spent > 1.0 else 0.0
        left = values.get("seconds_left", left)
        remaining = f", about {duration(left)} left" if left >= 1.0 else ""
        live = "".join(
            f", {name.replace('_', ' ')} {_short(value)}"
            for name, value in values.items()
            if name != "seconds_left"
        )
        line = f"{100 * fraction:3.0f} % {text}{live}{remaining}"
        self._write(line[: _width() - 1])

    def _write(self, line: str) -> None:
        if self._quiet:
            return
        line = without_control(line)
        self._stream.write(f"\r\x1b[K{line}" if self._rewrites else line)
        self._stream.flush()


def _width() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def _short(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def table(rows: Sequence[Sequence[str]], heads: tuple[str, ...]) -> str:
    """Return rows of text as an aligned table with a line of heads."""
    every = [heads, *rows]
    widths = [max(len(row[i]) for row in every) for i in range(len(heads))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in every]
    lines.insert(1, "  ".join("─" * w for w in widths))
    return "\n".join(lines)
