"""A slide."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import NO_TURNING, Term, along


@constraints.register("translational")
class Translational(PairConstraint):
    """The second marker may slide along the first one's z axis and not turn: five equations."""

    axis_words: ClassVar[str] = "slides along"

    def terms(self) -> tuple[Term, ...]:
        """Return the offsets across the axis and the three rotations."""
        return along(0), along(1), *NO_TURNING
