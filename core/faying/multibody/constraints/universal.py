"""A cardan joint."""

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import COINCIDENT, CROSS, Term


@constraints.register("universal")
class Universal(PairConstraint):
    """The markers stay at one place; x of the first and y of the second, the cross, stay at right angles."""

    def terms(self) -> tuple[Term, ...]:
        """Return the places' differences and the angle of the cross."""
        return *COINCIDENT, CROSS
