"""A massless rod."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations, length
from faying.params import parameter


@constraints.register("distance")
class Distance(PairConstraint):
    """The markers keep their distance: one equation."""

    kind: ClassVar[str] = "distance"
    title: ClassVar[str] = "Distance"

    distance: float = parameter(
        1.0, title="Distance", quantity="length", gt=0.0,
        meaning="Between the markers; for none, use a spherical constraint.",
    )  # fmt: skip

    def between(self, i: MarkerMotion, j: MarkerMotion, time: float) -> Equations:
        """Return the distance less the wanted one."""
        value, rows = length(i, j)
        return Equations(value - self.distance, rows, ("distance",))
