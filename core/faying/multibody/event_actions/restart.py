"""A new beginning of the time integration."""

from dataclasses import replace
from typing import ClassVar

from faying.multibody.event_actions import EventAction, Moment, event_actions


@event_actions.register("restart")
class Restart(EventAction):
    """The time integration begins anew: where a force jumps that it would otherwise integrate as a smooth one."""

    title: ClassVar[str] = "Restart time integration"

    def act(self, at: Moment) -> Moment:
        """Return the moment at which the time integration begins anew."""
        return replace(at, restarts=True).told("restarts the time integration")
