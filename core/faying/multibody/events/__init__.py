"""Events: something happens in a motion when a condition becomes true. A member is a kind of condition, in one file."""

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from faying.multibody.event_actions import EventAction, event_actions
from faying.params import Member, member_of, parameter
from faying.registry import Registry

events: Registry[type["Event"]] = Registry("event", __name__)


class Event(Member):
    """A condition, and what is done when it becomes true.

    Attributes:
        is_located: whether a step is repeated until it ends where the condition becomes true.
    """

    is_located: ClassVar[bool] = False

    name: str = parameter(title="Name", meaning="Name of the event.", min_length=1)
    times: int = parameter(
        1, title="Most times", ge=0, meaning="How often it happens at most; 0 for any number of times."
    )
    actions: tuple[member_of(event_actions), ...] = parameter(  # type: ignore[valid-type]
        ({"kind": "stop"},), title="Actions", meaning="What is done then, one after the other."
    )

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a name."""
        return {"name": "it"}

    def needs(self) -> tuple[str, ...]:
        """Return the measures whose values it takes."""
        return ()

    def next_time(self, time: float) -> float:
        """Return the first given time after a time at which a step has to end; infinity for none."""
        return math.inf

    def time_tolerance(self) -> float:
        """Return how exactly its time is located; zero for a small share of the step."""
        return 0.0

    def dead_band(self) -> float:
        """Return how far the value has to be from zero before it can become zero again."""
        return 0.0

    def value(self, values: Mapping[str, float]) -> float:
        """Return what is zero where it is located, for the values of the measures that it needs."""
        return 0.0

    def judge(self, side: int, value: float, since: float, time: float) -> tuple[int, bool]:
        """Return its side at the end of a step, and whether it happens there.

        Args:
            side: that it had at the start of the step; zero before it had any.
            value: at the end.
            since, time: of start and end.
        """
        raise NotImplementedError


__all__ = ["Event", "EventAction", "events"]
