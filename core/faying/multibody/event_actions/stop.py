"""The end of a run."""

from dataclasses import replace
from typing import ClassVar

from faying.multibody.event_actions import EventAction, Moment, event_actions


@event_actions.register("stop")
class StopRun(EventAction):
    """The run ends, with a frame at that time."""

    title: ClassVar[str] = "Stop run"

    def act(self, at: Moment) -> Moment:
        """Return the moment at which the run ends."""
        return replace(at, ends=True).told("ends the run")
