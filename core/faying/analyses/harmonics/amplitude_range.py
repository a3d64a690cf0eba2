"""Amplitudes of a vibration: from where to where, or those of choice."""

import numpy as np
from pydantic import field_validator, model_validator

from faying.analyses import Analysis
from faying.params import parameter


class AmplitudeRange(Analysis):
    """An analysis of a vibration over its amplitude."""

    smallest_amplitude: float = parameter(
        1e-3,
        title="From amplitude",
        quantity="length",
        gt=0.0,
        meaning="Amplitude of the point at the first frame.",
    )
    largest_amplitude: float = parameter(
        1.0,
        title="To amplitude",
        quantity="length",
        gt=0.0,
        meaning="Amplitude of the point at the last frame.",
    )
    points: int = parameter(
        20, title="Amplitudes", ge=2, le=10000, meaning="How many, at equal ratios to each other."
    )

    chosen_amplitudes: tuple[float, ...] = parameter(
        (), title="Amplitudes of choice", quantity="length", advanced=True,
        meaning="Amplitudes of the point, such as those of a test, in place of the range.",
    )  # fmt: skip

    @field_validator("chosen_amplitudes")
    @classmethod
    def _ascending(cls, amplitudes: tuple[float, ...]) -> tuple[float, ...]:
        if amplitudes and (len(set(amplitudes)) < 2 or min(amplitudes) <= 0.0):
            raise ValueError("there are at least two different amplitudes, and all are above zero")
        return tuple(sorted(set(amplitudes)))

    @model_validator(mode="after")
    def _in_order(self) -> "AmplitudeRange":
        if self.largest_amplitude <= self.smallest_amplitude:
            raise ValueError("the range of amplitudes does not end above its beginning")
        return self

    @property
    def amplitudes(self) -> np.ndarray:
        """(n,) amplitudes of the point, ascending."""
        if self.chosen_amplitudes:
            return np.array(self.chosen_amplitudes)
        return np.geomspace(self.smallest_amplitude, self.largest_amplitude, self.points)
