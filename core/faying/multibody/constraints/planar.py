"""Sliding on a plane."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations, along, parallel_z, stack


@constraints.register("planar")
class Planar(PairConstraint):
    """The second marker stays in the first one's x-y plane, their z axes parallel: three equations."""

    kind: ClassVar[str] = "planar"
    title: ClassVar[str] = "Planar"

    def between(self, i: MarkerMotion, j: MarkerMotion, time: float) -> Equations:
        """Return the height over the plane and the tilt of the z axes."""
        words = ("displacement along z", "rotation about y", "rotation about x")
        return stack(along(i, j, 2), parallel_z(i, j), words=words)
