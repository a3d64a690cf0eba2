"""Free memory of the machine, and errors for computations that need more."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import psutil

from faying.errors import FayingError, RefusedError

LIMIT, UNLIMITED = "FAYING_MEMORY", "unlimited"
"""Environment variable: gigabytes that may be taken, or that word; what the machine has free without it."""

_MIN_CHECKED_BYTES = 2.0**28  # bytes: smaller needs are not checked
# Entries of a factor per equation, and their growth: thin plates of bricks (115 000 equations), ordered by nested
# dissection. Bulky bodies have more, up to four times as many.
_MIN_ENTRIES, _FROM, _GROWTH = 205.0, 115_000.0, 0.44
MOST_ENTRIES = np.iinfo(np.int32).max
_HINT = "Close other programs, mesh more coarsely where stresses do not matter, or take over a part as a superelement."
_DESPITE = f"--despite-errors, or {LIMIT}={UNLIMITED} in the environment, tries all the same."


class MemoryNeedError(RefusedError):
    """A computation that does not fit into memory."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint, _DESPITE)
        self.args = (message, hint)  # pickling calls the class with these


def free_memory() -> float:
    """Return the number of bytes that may be used: the variable FAYING_MEMORY, or the machine's free memory.

    Raises:
        FayingError: when the variable is not a number of gigabytes.
    """
    words = os.environ.get(LIMIT, "").strip().lower()
    if not words:
        return float(psutil.virtual_memory().available)
    if words == UNLIMITED:
        return float("inf")
    try:
        return float(words.removesuffix("gb")) * 2.0**30
    except ValueError:
        raise FayingError(
            f'{LIMIT} is "{words}".', 'Give a number of gigabytes, such as "12", or "unlimited".'
        ) from None


@contextmanager
def tried_all_the_same() -> Iterator[None]:
    """Switch off the check of free memory in the block and in processes that are started in it."""
    before = os.environ.get(LIMIT)
    os.environ[LIMIT] = UNLIMITED
    try:
        yield
    finally:
        if before is None:
            del os.environ[LIMIT]
        else:
            os.environ[LIMIT] = before


def require_memory(need: float, equations: int, *, at_least: bool = False) -> None:
    """Refuse a factor that does not fit into the machine's memory.

    Args:
        need: bytes.
        equations: of the system.
        at_least: whether `need` is a lower bound.

    Raises:
        MemoryNeedError: with the needed and the free memory.
    """
    least = "at least " if at_least else ""
    require_room(need, f"The factor of {equations} equations needs {least}", _HINT)


def require_room(need: float, what: str, hint: str) -> None:
    """Refuse a computation that does not fit into the machine's memory.

    Args:
        need: bytes.
        what: beginning of the message, up to the number: "The factor of 12 equations needs".
        hint: how to reduce the need.

    Raises:
        MemoryNeedError: with the needed and the free memory.
    """
    if need < _MIN_CHECKED_BYTES or need <= (free := free_memory()):
        return
    whole = psutil.virtual_memory().total
    raise MemoryNeedError(
        f"{what.rstrip()} {need / 2.0**30:.3g} GB of memory; {free / 2.0**30:.3g} GB of {whole / 2.0**30:.3g} GB "
        "may be taken.",
        hint,
    )


def require_countable(entries: int) -> None:
    """Refuse a matrix (one triangle of it) of more than 2³¹ − 1 entries: sparse solvers index with 32 bits.

    Raises:
        MemoryNeedError: with the number.
    """
    if entries > MOST_ENTRIES:
        raise MemoryNeedError(
            f"The matrix has {entries} entries, more than the {MOST_ENTRIES} that sparse solvers count.",
            _HINT,
        )


def least_entries(equations: int) -> float:
    """Return a rough lower bound of the entries of a solid body's factor, for solvers that do not predict it."""
    return equations * _MIN_ENTRIES * (equations / _FROM) ** _GROWTH if equations > _FROM else 0.0
