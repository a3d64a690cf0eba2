"""A given time."""

import math

from faying.multibody.events import Event, events
from faying.params import parameter

_SAME = 1e-12  # of a time: nearer ones are the same


@events.register("at_time")
class AtTime(Event):
    """A time is reached, at which a step ends; with a period also each one later."""

    time: float = parameter(0.1, title="Time", quantity="time", gt=0.0, meaning="When it happens.")
    period: float = parameter(
        0.0, title="Period", quantity="time", ge=0.0, advanced=True,
        meaning="How much later it happens again; zero for never. `times` limits how often.",
    )  # fmt: skip

    def next_time(self, time: float) -> float:
        """Return the first of its times after a time."""
        if time < self.time * (1.0 - _SAME):
            return self.time
        if not self.period:
            return math.inf
        count = math.floor((time * (1.0 + _SAME) - self.time) / self.period) + 1
        return self.time + count * self.period

    def judge(self, side: int, value: float, since: float, time: float) -> tuple[int, bool]:
        """Return whether one of its times is in the step."""
        return side, self.next_time(since) <= time * (1.0 + _SAME)
