"""A rack that a pinion moves."""

from typing import Any, ClassVar

from faying.multibody.constraints import constraints
from faying.multibody.constraints._combined import CombinedConstraint, Summand, from_placed_start
from faying.params import parameter


@constraints.register("rack_and_pinion")
class RackAndPinion(CombinedConstraint):
    """The rack's displacement is the pinion's angle times its radius: one equation, d = R φ + c.

    Pinion and rack need a hinge and a guide of their own.
    """

    title: ClassVar[str] = "Rack and pinion"
    holds: ClassVar[str] = "displacement along the guide"

    carrier: str = parameter(
        title="Carrier", choices="marker", meaning="Marker at the pinion's hinge; z is its axis."
    )
    pinion: str = parameter(title="Pinion", choices="marker", meaning="Marker on the pinion, at its hinge.")
    guide: str = parameter(
        title="Guide", choices="marker", meaning="Marker of the rack's guide, along its z axis."
    )
    rack: str = parameter(title="Rack", choices="marker", meaning="Marker on the rack.")
    radius: float = parameter(
        10.0, title="Radius", quantity="length",
        meaning="Displacement of the rack per rad of the pinion; negative where it moves the other way.",
    )  # fmt: skip
    offset_as_placed: bool = from_placed_start()
    offset: float = parameter(
        0.0, title="Offset", quantity="length", meaning="Displacement of the rack at angle zero."
    )

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one on the ground."""
        markers = {"carrier": "ground.a", "pinion": "one.a", "guide": "ground.b", "rack": "two.a"}
        return {**super().example(), **markers}

    def marker_names(self) -> tuple[str, ...]:
        """Return carrier and pinion, guide and rack."""
        return self.carrier, self.pinion, self.guide, self.rack

    def summands(self) -> tuple[Summand, ...]:
        """Return −R φ and d."""
        return Summand(-self.radius, "angle"), Summand(1.0, "displacement")
