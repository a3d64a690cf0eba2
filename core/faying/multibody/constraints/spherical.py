"""A ball joint."""

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import COINCIDENT, Term


@constraints.register("spherical")
class Spherical(PairConstraint):
    """The markers stay at one place: three equations."""

    def terms(self) -> tuple[Term, ...]:
        """Return the places' differences along the first marker's axes."""
        return COINCIDENT
