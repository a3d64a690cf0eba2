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


class ThreadWork:
    """What this thread works, as a window's thread does: on a busy machine the clock's time would be that of others."""

    def __init__(self) -> None:
        self._left_out = 0.0

    def now(self) -> float:
        """Return the seconds that the thread has worked on what counts."""
        return time.thread_time() - self._left_out

    def leaving_out(self, draw):
        """Return a function that draws, so that it does not count: Mesa works here in place of a graphics card."""

        def drawn(*words, **named):
            began = time.thread_time()
            try:
                return draw(*words, **named)
            finally:
                self._left_out += time.thread_time() - began

        return drawn


# Seconds of `slowness`'s sums on the machine that limits in tests are for, when nobody else uses it.
_QUIET = 0.1


def slowness() -> float:
    """Return how many times slower than that machine this one is now, in plain Python; 1 for a faster one."""
    spent, total = Spent(), 0
    for number in range(3_000_000):
        total += number
    return max(1.0, spent.seconds / _QUIET)
