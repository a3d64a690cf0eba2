"""What a benchmark says and measures: seconds and memory."""

import ctypes
import gc
import math
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, TypeVar

_STATUS, _PAGE = Path("/proc/self/statm"), 4096
Found = TypeVar("Found")


def say(line: str = "") -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@dataclass
class Watch:
    """Seconds of each step, printed as they come."""

    seconds: dict[str, float] = field(default_factory=dict)

    def time(self, step: str, work: Callable[[], Found], repeats: int = 1) -> Found:
        """Return what the work returns; its time is the least of some repeats."""
        best = math.inf
        for _ in range(repeats):
            began = time.perf_counter()
            outcome = work()
            best = min(best, time.perf_counter() - began)
        self.add(step, best)
        return outcome

    def add(self, step: str, seconds: float) -> None:
        self.seconds[step] = seconds
        say(f"  {step:<34}{seconds:10.3f} s")


def resident_bytes() -> float:
    """Return the memory of the process; nan where the system does not tell."""
    return float(_STATUS.read_text().split()[1]) * _PAGE if _STATUS.exists() else math.nan


class ResidentMemory:
    """By how many bytes the process grows while a block runs, at its peak; nan where the system does not tell.

    What was freed before goes back to the system first, or the block would take it unseen.
    """

    def __enter__(self) -> Self:
        self.growth = math.nan if not _STATUS.exists() else 0.0
        gc.collect()
        if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
            libc.malloc_trim(0)
        self._start = resident_bytes()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._over.wait(0.005):
            self.growth = max(self.growth, resident_bytes() - self._start)


def report_growth(first: tuple[int, dict[str, float]], last: tuple[int, dict[str, float]]) -> None:
    """Print the exponent p of seconds ~ nodes^p between a small and a large body."""
    (few, fast), (many, slow) = first, last
    say(f"\ngrowth from {few} to {many} nodes: seconds ~ nodes^p")
    for step in fast:
        if step in slow and fast[step] > 0:
            say(f"  {step:<34}{math.log(slow[step] / fast[step]) / math.log(many / few):10.2f}")
