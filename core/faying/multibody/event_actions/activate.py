"""Constraints that hold from an event on."""

from typing import Any, ClassVar

from faying.multibody.event_actions import EventAction, Moment, event_actions, named
from faying.multibody.switching import switched
from faying.params import parameter


@event_actions.register("activate")
class Activate(EventAction):
    """Constraints hold from then on; velocities change at once, as by a perfectly plastic impact."""

    title: ClassVar[str] = "Activate constraints"

    constraints: tuple[str, ...] = parameter(
        (), title="Constraints", choices="constraint", meaning="Those that hold from then on."
    )
    where_they_are: bool = parameter(
        False, title="Hold where parts are",
        meaning="Whether prescribed motions and couplers hold the parts where they are then, and go on from there: as "
        "a brake or a clutch does.",
    )  # fmt: skip
    tolerance: float = parameter(
        0.0, title="Tolerance", quantity="length", ge=0.0, advanced=True,
        meaning="By how much the constraints may be violated then; the parts are moved that far. Zero for 1e-5 of the "
        "system's size.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return that of a constraint."""
        return {"constraints": ["latch"]}

    def wakes(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the constraints."""
        return self.constraints, ()

    def act(self, at: Moment) -> Moment:
        """Return the moment with the constraints, at velocities that they allow."""
        after = switched(at, dict.fromkeys(self.constraints, True), None, self.tolerance, self.where_they_are)
        return after.told(f"activates {named(self.constraints)}")
