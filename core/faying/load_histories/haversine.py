"""A smooth step."""

import math
from typing import ClassVar

from faying.load_histories import LoadHistory, load_histories
from faying.params import parameter


@load_histories.register("haversine")
class Haversine(LoadHistory):
    """A smooth step (1 − cos(π t/T))/2 from 0 to 1 within the rise time T, without a jump in its rate."""

    title: ClassVar[str] = "Smooth step (haversine)"

    rise_time: float = parameter(
        0.01, title="Rise time", quantity="time", gt=0.0, meaning="Time until the full load is reached."
    )

    def factor(self, time: float) -> float:
        """Return the haversine of the time, one after the rise time, zero before the start."""
        part = min(max(time / self.rise_time, 0.0), 1.0)
        return 0.5 * (1.0 - math.cos(math.pi * part))

    def integral(self, time: float) -> float:
        """Return T/2 (x − sin(π x)/π) with x = t/T; after the rise it is t − T/2."""
        part = min(max(time / self.rise_time, 0.0), 1.0)
        rising = 0.5 * self.rise_time * (part - math.sin(math.pi * part) / math.pi)
        return rising + max(time - self.rise_time, 0.0)

    def rates(self, time: float) -> tuple[float, float]:
        """Return ω/2 sin(ω t) and ω²/2 cos(ω t) with ω = π/T during the rise, else zeros."""
        if not 0.0 <= time < self.rise_time:
            return 0.0, 0.0
        omega = math.pi / self.rise_time
        return 0.5 * omega * math.sin(omega * time), 0.5 * omega * omega * math.cos(omega * time)
