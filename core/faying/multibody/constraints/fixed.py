"""Two markers held together."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations, coincident, no_turning, stack


@constraints.register("fixed")
class Fixed(PairConstraint):
    """No relative motion: six equations."""

    kind: ClassVar[str] = "fixed"
    title: ClassVar[str] = "Fixed"

    def between(self, i: MarkerMotion, j: MarkerMotion, time: float) -> Equations:
        """Return the places' differences along the first marker's axes, and no turning about them."""
        words = ("displacement along x", "displacement along y", "displacement along z")
        turns = ("rotation about x", "rotation about y", "rotation about z")
        return stack(coincident(i, j), no_turning(i, j), words=words + turns)
