"""An impact against constraints that hold for this instant alone."""

from typing import Any, ClassVar

from faying.multibody.event_actions import EventAction, Moment, event_actions, named
from faying.multibody.switching import struck
from faying.params import parameter


@event_actions.register("impact")
class Impact(EventAction):
    """Velocities change at once as by an impact against constraints that are not active, with a restitution.

    Newton's hypothesis: the velocity in each equation of theirs is afterwards −e times what it was (Glocker, Set-Valued
    Force Laws, 2001, section 9). All active constraints take their part of the impulse.
    """

    title: ClassVar[str] = "Impact against constraints"

    constraints: tuple[str, ...] = parameter(
        (), title="Constraints", choices="constraint", meaning="What is hit; not active before and after."
    )
    restitution: float = parameter(
        0.0,
        title="Restitution",
        ge=0.0,
        le=1.0,
        meaning="Speed after over speed before; 0 for plastic, 1 for elastic.",
    )

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return that of a constraint."""
        return {"constraints": ["floor"], "restitution": 0.8}

    def wakes(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the constraints, which act for an instant."""
        return self.constraints, ()

    def act(self, at: Moment) -> Moment:
        """Return the moment after the impact."""
        return struck(at, self.constraints, self.restitution).told(f"hits {named(self.constraints)}")
