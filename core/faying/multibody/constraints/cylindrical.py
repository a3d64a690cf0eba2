"""A shaft in a sleeve."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import PARALLEL_Z, Term, along


@constraints.register("cylindrical")
class Cylindrical(PairConstraint):
    """The second marker may slide along the first one's z axis and turn about it: four equations."""

    axis_words: ClassVar[str] = "turns about and slides along"

    def terms(self) -> tuple[Term, ...]:
        """Return the offsets across the axis and the tilt of the z axes."""
        return along(0), along(1), *PARALLEL_Z
