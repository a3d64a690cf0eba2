"""Two markers held together."""

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import COINCIDENT, NO_TURNING, Term


@constraints.register("fixed")
class Fixed(PairConstraint):
    """No relative motion: six equations."""

    def terms(self) -> tuple[Term, ...]:
        """Return the places' differences along the first marker's axes, and no turning about them."""
        return *COINCIDENT, *NO_TURNING
