"""A point guided along a line."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations, along, stack


@constraints.register("point_on_line")
class PointOnLine(PairConstraint):
    """The second marker stays on the first one's z axis and turns freely: two equations."""

    kind: ClassVar[str] = "point_on_line"
    title: ClassVar[str] = "Point on line"

    def between(self, i: MarkerMotion, j: MarkerMotion, time: float) -> Equations:
        """Return the offsets across the line."""
        return stack(along(i, j, 0), along(i, j, 1), words=("displacement along x", "displacement along y"))
