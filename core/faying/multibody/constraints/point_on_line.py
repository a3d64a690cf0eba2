"""A point guided along a line."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import Term, along


@constraints.register("point_on_line")
class PointOnLine(PairConstraint):
    """The second marker stays on the first one's z axis and turns freely: two equations."""

    axis_words: ClassVar[str] = "slides along"

    def terms(self) -> tuple[Term, ...]:
        """Return the offsets across the line."""
        return along(0), along(1)
