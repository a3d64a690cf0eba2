"""The time."""

from collections.abc import Mapping
from typing import ClassVar

from faying.multibody.markers import MarkersAt
from faying.multibody.measures import Measure, measures


@measures.register("time")
class TimeMeasure(Measure):
    """The time, for formulas."""

    of_motion_alone: ClassVar[bool] = True

    def dimension(self, known: Mapping[str, str]) -> str:
        """Return "time"."""
        return "time"

    def of_motion(self, at: MarkersAt, values: Mapping[str, float]) -> float:
        """Return the time."""
        return at.time
