"""A frame at the time of an event."""

from dataclasses import replace
from typing import ClassVar

from faying.multibody.event_actions import EventAction, Moment, event_actions
from faying.params import parameter


@event_actions.register("save")
class SaveFrame(EventAction):
    """A frame is stored, in addition to those at fixed intervals; the run's report tells its number."""

    title: ClassVar[str] = "Save frame"

    label: str = parameter(
        "", title="Label", meaning="What the frame is called in the report; empty for the event's name."
    )

    def act(self, at: Moment) -> Moment:
        """Return the moment with a frame to be stored."""
        return replace(at, saved=(*at.saved, self.label or at.event)).told("stores a frame")
