"""The time."""

from collections.abc import Mapping

from faying.multibody.measures import Measure, Observation, measures


@measures.register("time")
class TimeMeasure(Measure):
    """The time, for formulas."""

    def dimension(self, known: Mapping[str, str]) -> str:
        """Return "time"."""
        return "time"

    def value(self, at: Observation, values: Mapping[str, float]) -> float:
        """Return the time."""
        return at.state.time
