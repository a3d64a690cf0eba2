"""A single smooth pulse."""

import math

from faying.load_histories import LoadHistory, load_histories
from faying.params import parameter


@load_histories.register("pulse")
class Pulse(LoadHistory):
    """One smooth pulse (1 − cos(2π (t − t₀)/T))/2 of length T, zero before and after."""

    start: float = parameter(0.0, title="Start", quantity="time", ge=0.0, meaning="When the pulse begins.")
    length: float = parameter(0.001, title="Length", quantity="time", gt=0.0, meaning="How long it lasts.")

    def factor(self, time: float) -> float:
        """Return the pulse, one in the middle of its length."""
        part = min(max((time - self.start) / self.length, 0.0), 1.0)
        return 0.5 * (1.0 - math.cos(2.0 * math.pi * part))

    def integral(self, time: float) -> float:
        """Return T/2 (x − sin(2π x)/(2π)) with x = (t − t₀)/T; T/2 after the pulse."""
        part = min(max((time - self.start) / self.length, 0.0), 1.0)
        return 0.5 * self.length * (part - math.sin(2.0 * math.pi * part) / (2.0 * math.pi))

    def rates(self, time: float) -> tuple[float, float]:
        """Return ω/2 sin(ω (t − t₀)) and ω²/2 cos(ω (t − t₀)) with ω = 2π/T during the pulse, else zeros."""
        since = time - self.start
        if not 0.0 <= since < self.length:
            return 0.0, 0.0
        omega = 2.0 * math.pi / self.length
        return 0.5 * omega * math.sin(omega * since), 0.5 * omega * omega * math.cos(omega * since)
