"""A hinge."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import COINCIDENT, PARALLEL_Z, Term


@constraints.register("revolute")
class Revolute(PairConstraint):
    """The markers stay at one place and may turn about their common z axis: five equations."""

    axis_words: ClassVar[str] = "turns about"

    def terms(self) -> tuple[Term, ...]:
        """Return the places' differences and the tilt of the z axes."""
        return *COINCIDENT, *PARALLEL_Z
