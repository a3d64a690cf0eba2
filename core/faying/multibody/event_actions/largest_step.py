"""Another largest time step."""

from dataclasses import replace

from faying.multibody.event_actions import EventAction, Moment, event_actions
from faying.params import parameter


@event_actions.register("largest_step")
class LargestStep(EventAction):
    """From then on no time step is longer than this; the time integration begins anew."""

    length: float = parameter(
        1e-4, title="Largest step", quantity="time", gt=0.0, meaning="The longest time step from then on."
    )

    def act(self, at: Moment) -> Moment:
        """Return the moment with another largest step."""
        return replace(at, largest_step=self.length, restarts=True).told("sets the largest step")
