"""Angles and displacements of several joints in one linear equation."""

from typing import Any, ClassVar, Literal

from faying.multibody.constraints import constraints
from faying.multibody.constraints._combined import CombinedConstraint, Summand, from_placed_start
from faying.params import Spec, parameter


class CoupledMotion(Spec):
    """An angle or a displacement between two markers, with its factor."""

    first: str = parameter(
        title="First marker", choices="marker", meaning="Its z axis is that of the motion."
    )
    second: str = parameter(title="Second marker", choices="marker", meaning="What turns or moves.")
    of: Literal["angle", "displacement"] = parameter(
        "angle", title="Motion", meaning="Angle about the z axis, or displacement along it."
    )
    factor: float = parameter(1.0, title="Factor", meaning="In the sum, for project's units and rad.")


@constraints.register("coupler")
class Coupler(CombinedConstraint):
    """A linear equation of any number of angles and displacements: Σ cₖ xₖ = c, as in a differential."""

    holds: ClassVar[str] = "sum of the coupled motions"

    motions: tuple[CoupledMotion, ...] = parameter(
        (),
        title="Motions",
        meaning="Angles and displacements with their factors; without any, nothing is tied.",
    )
    offset_as_placed: bool = from_placed_start()
    offset: float = parameter(0.0, title="Sum", meaning="The sum c, in the project's units and rad.")

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a differential."""
        pairs = (("ground.a", "one.a", 1.0), ("ground.b", "two.a", 1.0), ("ground.c", "cage.a", -2.0))
        motions = [{"first": i, "second": j, "factor": c} for i, j, c in pairs]
        return {**super().example(), "motions": motions}

    def marker_names(self) -> tuple[str, ...]:
        """Return the markers of all motions."""
        return tuple(name for each in self.motions for name in (each.first, each.second))

    def summands(self) -> tuple[Summand, ...]:
        """Return factor and kind of each motion."""
        return tuple(Summand(each.factor, each.of) for each in self.motions)
