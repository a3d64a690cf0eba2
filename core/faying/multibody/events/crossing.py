"""A measure that crosses a value."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from faying.multibody.events import Event, events
from faying.params import parameter


@events.register("crossing")
class Crossing(Event):
    """A measure crosses a level. The step is repeated until it ends there.

    What crosses and comes back within one step is not seen: then a shorter largest step is needed.
    """

    is_located: ClassVar[bool] = True

    measure: str = parameter(title="Measure", choices="measure", meaning="What crosses the level.")
    level: float = parameter(
        0.0, title="Level", meaning="The value that is crossed, in the project's units and rad."
    )
    direction: Literal["rising", "falling", "either"] = parameter(
        "rising", title="Direction", meaning="Which way it has to be crossed."
    )
    hysteresis: float = parameter(
        0.0, title="Hysteresis", ge=0.0, advanced=True,
        meaning="How far the measure has to go back beyond the level, in its units, before it can cross it again.",
    )  # fmt: skip
    tolerance: float = parameter(
        0.0, title="Tolerance", quantity="time", ge=0.0, advanced=True,
        meaning="How exactly the time is found; zero for 1e-9 of the step.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return that of another measure."""
        return {**super().example(), "measure": "stretch"}

    def needs(self) -> tuple[str, ...]:
        """Return the measure."""
        return (self.measure,)

    def time_tolerance(self) -> float:
        """Return the tolerance."""
        return self.tolerance

    def dead_band(self) -> float:
        """Return the hysteresis."""
        return self.hysteresis

    def value(self, values: Mapping[str, float]) -> float:
        """Return the measure less the level."""
        return values[self.measure] - self.level

    def judge(self, side: int, value: float, since: float, time: float) -> tuple[int, bool]:
        """Return the side of the level, and whether it was crossed the right way; a start at the level has no side."""
        rises = side < 0 and value >= 0.0 and self.direction != "falling"
        falls = side > 0 and value <= 0.0 and self.direction != "rising"
        if rises or falls:
            return 0, True
        if abs(value) > self.hysteresis:
            return (1 if value > 0.0 else -1), False
        return side, False
