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
