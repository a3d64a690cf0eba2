"""Axes that do not turn against each other."""

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import NO_TURNING, Term


@constraints.register("orientation")
class Orientation(PairConstraint):
    """The axes of the markers stay parallel, wherever the markers are: three equations."""

    def terms(self) -> tuple[Term, ...]:
        """Return the three rotations."""
        return NO_TURNING
