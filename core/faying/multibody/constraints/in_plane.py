"""A point that stays in a plane."""

from faying.multibody.constraints import PairConstraint, constraints
from faying.multibody.terms import Term, along


@constraints.register("in_plane")
class InPlane(PairConstraint):
    """The second marker stays in the x-y plane of the first one, and may turn: one equation."""

    def terms(self) -> tuple[Term, ...]:
        """Return the displacement along z."""
        return (along(2),)
