"""A sine."""

import math

from faying.load_histories import LoadHistory, load_histories
from faying.params import parameter


@load_histories.register("harmonic")
class Harmonic(LoadHistory):
    """mean + sin(2π f t + φ)."""

    frequency: float = parameter(
        100.0, title="Frequency", quantity="frequency", gt=0.0, meaning="Periods per time."
    )
    phase: float = parameter(
        0.0, title="Phase", quantity="angle", meaning="Angle of the sine at time zero; π/2 makes it a cosine."
    )
    mean: float = parameter(0.0, title="Mean", meaning="What is added to the sine.")

    def factor(self, time: float) -> float:
        """Return mean + sin(2π f t + φ)."""
        return self.mean + math.sin(2.0 * math.pi * self.frequency * time + self.phase)

    def integral(self, time: float) -> float:
        """Return mean t + (cos φ − cos(2π f t + φ)) / (2π f)."""
        omega = 2.0 * math.pi * self.frequency
        return self.mean * time + (math.cos(self.phase) - math.cos(omega * time + self.phase)) / omega

    def rates(self, time: float) -> tuple[float, float]:
        """Return ω cos(ω t + φ) and −ω² sin(ω t + φ) with ω = 2π f."""
        omega = 2.0 * math.pi * self.frequency
        angle = omega * time + self.phase
        return omega * math.cos(angle), -omega * omega * math.sin(angle)
