"""A massless rod."""

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import DISTANCE, Term
from faying.params import parameter


@constraints.register("distance")
class Distance(PairConstraint):
    """The markers keep their distance: one equation."""

    distance: float = parameter(
        1.0, title="Distance", quantity="length", gt=0.0,
        meaning="Between the markers; for none, use a spherical constraint.",
    )  # fmt: skip

    def terms(self) -> tuple[Term, ...]:
        """Return the distance."""
        return (DISTANCE,)

    def wanted(self, time: float) -> float:
        """Return the distance."""
        return self.distance
