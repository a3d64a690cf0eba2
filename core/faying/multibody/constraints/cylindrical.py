"""A shaft in a sleeve."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations, along, parallel_z, stack


@constraints.register("cylindrical")
class Cylindrical(PairConstraint):
    """The second marker may slide along the first one's z axis and turn about it: four equations."""

    kind: ClassVar[str] = "cylindrical"
    title: ClassVar[str] = "Cylindrical"

    def between(self, i: MarkerMotion, j: MarkerMotion, time: float) -> Equations:
        """Return the offsets across the axis and the tilt of the z axes."""
        words = ("displacement along x", "displacement along y", "rotation about y", "rotation about x")
        return stack(along(i, j, 0), along(i, j, 1), parallel_z(i, j), words=words)
