"""A cardan joint."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations, between_axes, coincident, stack


@constraints.register("universal")
class Universal(PairConstraint):
    """The markers stay at one place; x of the first and y of the second, the cross, stay at right angles."""

    kind: ClassVar[str] = "universal"
    title: ClassVar[str] = "Universal"

    def between(self, i: MarkerMotion, j: MarkerMotion, time: float) -> Equations:
        """Return the places' differences and the angle of the cross."""
        words = ("displacement along x", "displacement along y", "displacement along z", "rotation about z")
        return stack(coincident(i, j), between_axes(i, j, 0, 1), words=words)
