"""A ball joint."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations, coincident, stack


@constraints.register("spherical")
class Spherical(PairConstraint):
    """The markers stay at one place: three equations."""

    kind: ClassVar[str] = "spherical"
    title: ClassVar[str] = "Spherical"

    def between(self, i: MarkerMotion, j: MarkerMotion, time: float) -> Equations:
        """Return the places' differences along the first marker's axes."""
        words = ("displacement along x", "displacement along y", "displacement along z")
        return stack(coincident(i, j), words=words)
