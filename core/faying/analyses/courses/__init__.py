"""Courses: how a load grows over time. A member is one file."""

from abc import abstractmethod

from faying.params import Member
from faying.registry import Registry

courses: Registry[type["Course"]] = Registry("course over time", __name__)


class Course(Member):
    """A factor over time."""

    @abstractmethod
    def factor(self, time: float) -> float:
        """Return the factor by which the load is multiplied at a time."""
