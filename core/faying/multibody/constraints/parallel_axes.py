"""Axes that stay parallel."""

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import PARALLEL_Z, Term


@constraints.register("parallel_axes")
class ParallelAxes(PairConstraint):
    """The z axes of the markers stay parallel, wherever the markers are: two equations."""

    def terms(self) -> tuple[Term, ...]:
        """Return the tilt of the z axes."""
        return PARALLEL_Z
