"""Constraints that hold no more."""

from typing import Any, ClassVar

from faying.multibody.event_actions import EventAction, Moment, event_actions, named
from faying.multibody.switching import switched
from faying.params import parameter


@event_actions.register("release")
class Release(EventAction):
    """Constraints hold no more from then on, as when a bolt breaks or a gripper opens."""

    title: ClassVar[str] = "Release constraints"

    constraints: tuple[str, ...] = parameter(
        (), title="Constraints", choices="constraint", meaning="Those that hold no more."
    )

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return that of a constraint."""
        return {"constraints": ["pivot"]}

    def act(self, at: Moment) -> Moment:
        """Return the moment without the constraints."""
        after = switched(at, constraints=dict.fromkeys(self.constraints, False))
        return after.told(f"releases {named(self.constraints)}")
