"""What a point of a periodic motion costs, before it is computed."""

from dataclasses import dataclass

from faying.durations import duration

# Processor time for each pair and sample, and for each pair, sample and square of the coefficients: the friction bar of
# `tests/benchmarks/vibrations.py`, with a few corrections a point and a fifth of the pairs slipping.
_EACH, _BY_SQUARE = 3e-7, 1.6e-8  # s


@dataclass(frozen=True)
class PointCost:
    """The processor time of a vibration with friction, roughly.

    Attributes:
        pairs: contact pairs.
        samples, harmonics: of the period, those with which the curve begins.
        points: how many are asked for; 0 where the curve decides.
    """

    pairs: int
    samples: int
    harmonics: int
    points: int

    @property
    def per_point(self) -> float:
        """Seconds of a point: linear in pairs, samples and the square of the coefficients 2 H + 1."""
        return self.pairs * self.samples * (_EACH + _BY_SQUARE * (2 * self.harmonics + 1) ** 2)

    @property
    def seconds(self) -> float:
        """Seconds of all points; zero where their number is not known."""
        return self.points * self.per_point

    @property
    def sentence(self) -> str:
        """Such as "some 0.2 s a point, 3.0 s for 20 points (2193 pairs, 64 samples, 3 harmonics)"."""
        whole = f", {duration(self.seconds)} for {self.points} points" if self.points else ""
        return (
            f"some {duration(self.per_point)} a point{whole} ({self.pairs} pairs, {self.samples} samples, "
            f"{self.harmonics} harmonics)"
        )
