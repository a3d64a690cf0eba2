"""Forces switched on and off."""

from typing import Any, ClassVar

from faying.multibody.event_actions import EventAction, Moment, event_actions, named
from faying.multibody.switching import switched
from faying.params import parameter


@event_actions.register("switch")
class SwitchForces(EventAction):
    """Forces act from then on, or act no more. Energy that a spring stores leaves the system with it."""

    title: ClassVar[str] = "Switch forces"

    on: tuple[str, ...] = parameter(
        (), title="Switched on", choices="force", meaning="Forces that act from then on."
    )
    off: tuple[str, ...] = parameter(
        (), title="Switched off", choices="force", meaning="Forces that act no more."
    )

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return that of a force."""
        return {"off": ["strut"]}

    def wakes(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the forces that it switches on."""
        return (), self.on

    def act(self, at: Moment) -> Moment:
        """Return the moment with other forces."""
        after = switched(at, forces=dict.fromkeys(self.on, True) | dict.fromkeys(self.off, False))
        if self.on:
            after = after.told(f"switches {named(self.on)} on")
        return after.told(f"switches {named(self.off)} off") if self.off else after
