"""A slide."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations, along, no_turning, stack


@constraints.register("translational")
class Translational(PairConstraint):
    """The second marker may slide along the first one's z axis and not turn: five equations."""

    kind: ClassVar[str] = "translational"
    title: ClassVar[str] = "Translational"

    def between(self, i: MarkerMotion, j: MarkerMotion, time: float) -> Equations:
        """Return the offsets across the axis and the three rotations."""
        words = ("displacement along x", "displacement along y")
        turns = ("rotation about x", "rotation about y", "rotation about z")
        return stack(along(i, j, 0), along(i, j, 1), no_turning(i, j), words=words + turns)
