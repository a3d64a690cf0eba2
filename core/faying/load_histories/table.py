"""A load history given by points."""

import itertools
from typing import ClassVar

import numpy as np
from pydantic import field_validator

from faying.load_histories import LoadHistory, load_histories
from faying.params import parameter


@load_histories.register("table")
class TabularHistory(LoadHistory):
    """Straight lines between points (time, factor); before the first and after the last it stays."""

    title: ClassVar[str] = "Table"

    points: tuple[tuple[float, float], ...] = parameter(
        ((0.0, 0.0), (1.0, 1.0)), title="Points", min_length=1,
        meaning="Pairs of time (in the project's unit) and factor, in order of time.",
    )  # fmt: skip

    @field_validator("points")
    @classmethod
    def _in_order(cls, points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        times = [time for time, _ in points]
        for before, after in itertools.pairwise(times):
            if after <= before:
                raise ValueError(f"times have to grow, but {after:g} follows {before:g}")
        return points

    def factor(self, time: float) -> float:
        """Return the factor between the points."""
        times, factors = zip(*self.points, strict=True)
        return float(np.interp(time, times, factors))

    def integral(self, time: float) -> float:
        """Return the exact integral of the broken line."""
        inside = [t for t, _ in self.points if 0.0 < t < time]
        grid = np.array([0.0, *inside, time])
        return float(np.trapezoid([self.factor(t) for t in grid], grid))
