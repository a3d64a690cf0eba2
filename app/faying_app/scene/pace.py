"""Whether pictures follow each other closely: the camera is being turned, or frames are being played."""

import time
from collections.abc import Callable

# Pictures further apart than this (seconds) are single ones, and worth every detail.
CLOSELY = 0.4


class Pace:
    """Compares every picture with the one before it.

    Args:
        clock: gives the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: tuple[object, ...] = ()
        self._drawn = -float("inf")

    def is_new(self, *seen: object) -> bool:
        """Return whether what can move is not as it was in the last picture."""
        return seen != self._seen

    def is_moving(self, *seen: object) -> bool:
        """Return whether something moved since a picture that has just been drawn.

        A single change is no movement, and what stands still is none.

        Args:
            seen: what can move; other values than before mean that it did.
        """
        moved = self.is_new(*seen)
        self._seen = seen
        return moved and self.is_quick

    @property
    def is_quick(self) -> bool:
        """Whether a picture has just been drawn, so that another change now would be movement."""
        return self._clock() - self._drawn < CLOSELY

    def note_drawn(self) -> None:
        """Take note that a picture is finished."""
        self._drawn = self._clock()

    def rest(self) -> None:
        """Take the next picture for a single one."""
        self._drawn = -float("inf")
