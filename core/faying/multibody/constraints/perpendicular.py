"""Axes that stay at right angles."""

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import ACROSS, Term


@constraints.register("perpendicular")
class Perpendicular(PairConstraint):
    """The z axes of the markers stay at right angles, wherever the markers are: one equation."""

    def terms(self) -> tuple[Term, ...]:
        """Return z_i · z_j."""
        return (Term(ACROSS, 2, 2, "angle of the z axes"),)
