"""Time as tests may measure it on a machine that others use too."""

import time


class Spent:
    """Seconds since it was made: those that passed, or those that this process worked, whichever is less."""

    def __init__(self) -> None:
        self._began = self._now()

    @property
    def seconds(self) -> float:
        return min(now - began for began, now in zip(self._began, self._now(), strict=True))

    @staticmethod
    def _now() -> tuple[float, float]:
        return time.perf_counter(), time.process_time()


# Seconds of `slowness`'s sums on the machine that limits in tests are for, when nobody else uses it.
_QUIET = 0.1


def slowness() -> float:
    """Return how many times slower than that machine this one is now, in plain Python; 1 for a faster one."""
    spent, total = Spent(), 0
    for number in range(3_000_000):
        total += number
    return max(1.0, spent.seconds / _QUIET)
