"""A constant load."""

from typing import ClassVar

from faying.courses import Course, courses


@courses.register("constant")
class Constant(Course):
    """The full load from the beginning."""

    kind: ClassVar[str] = "constant"
    title: ClassVar[str] = "Constant"

    def factor(self, time: float) -> float:
        """Return one."""
        return 1.0

    def integral(self, time: float) -> float:
        """Return the time."""
        return time
