"""A hinge."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations, coincident, parallel_z, stack


@constraints.register("revolute")
class Revolute(PairConstraint):
    """The markers stay at one place and may turn about their common z axis: five equations."""

    kind: ClassVar[str] = "revolute"
    title: ClassVar[str] = "Revolute"

    def between(self, i: MarkerMotion, j: MarkerMotion, time: float) -> Equations:
        """Return the places' differences and the tilt of the z axes."""
        words = ("displacement along x", "displacement along y", "displacement along z")
        tilts = ("rotation about y", "rotation about x")
        return stack(coincident(i, j), parallel_z(i, j), words=words + tilts)
