"""Sliding on a plane."""

from typing import ClassVar

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import PARALLEL_Z, Term, along


@constraints.register("planar")
class Planar(PairConstraint):
    """The second marker stays in the first one's x-y plane, their z axes parallel: three equations."""

    axis_words: ClassVar[str] = "stays square to"

    def terms(self) -> tuple[Term, ...]:
        """Return the height over the plane and the tilt of the z axes."""
        return along(2), *PARALLEL_Z
