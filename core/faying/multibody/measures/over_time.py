"""A measure over time: its integral, mean, extremes and crossings since the start."""

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from faying.multibody.measures import Measure, Observation, measures, over_time_of
from faying.params import parameter


@measures.register("over_time")
class OverTimeMeasure(Measure):
    """Integral, mean, maximum, minimum or last crossing of another measure since the start, over all time steps.

    The last crossing is the time at which the measure last passed a level, rising or falling; NaN before the first one.
    """

    accumulates: ClassVar[bool] = True

    measure: str = parameter(title="Measure", choices="measure", meaning="The other measure.")
    statistic: Literal["integral", "mean", "maximum", "minimum", "last crossing"] = parameter(
        "maximum", title="Statistic", meaning="What of it, since the start of the run."
    )  # fmt: skip
    level: float = parameter(
        0.0, title="Level", advanced=True,
        meaning="Level that the measure crosses, in the project's units and rad; of the last crossing alone.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return that of another measure."""
        return {**super().example(), "measure": "stretch"}

    def needs(self) -> tuple[str, ...]:
        """Return the other measure."""
        return (self.measure,)

    def dimension(self, known: Mapping[str, str]) -> str:
        """Return that of the other measure, for an integral times the time."""
        if self.statistic == "last crossing":
            return "time"
        return over_time_of(known[self.measure]) if self.statistic == "integral" else known[self.measure]

    def value(self, at: Observation, values: Mapping[str, float]) -> float:
        """Return the statistic up to this state."""
        start, time, value, integral, most, least, crossed = self.memory(at, values)
        if self.statistic == "mean":
            return integral / (time - start) if time > start else value
        found = {"integral": integral, "maximum": most, "minimum": least, "last crossing": crossed}
        return found[self.statistic]

    def memory(self, at: Observation, values: Mapping[str, float]) -> tuple[float, ...]:
        """Return times of the start and of this state, value, integral, maximum, minimum and last crossing."""
        now, value = at.state.time, values[self.measure]
        last = at.remembered.get(self.name)
        if last is None:
            return now, now, value, 0.0, value, value, math.nan
        start, time, before, integral, most, least, crossed = (float(each) for each in last)
        integral += 0.5 * (before + value) * (now - time)
        if (before < self.level) != (value < self.level):
            crossed = time + (self.level - before) / (value - before) * (now - time)
        return start, now, value, integral, max(most, value), min(least, value), crossed
