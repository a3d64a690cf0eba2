"""Two hinges that turn together."""

from typing import Any, ClassVar

from faying.multibody.constraints import constraints
from faying.multibody.constraints._combined import CombinedConstraint, Summand, from_placed_start
from faying.params import parameter


@constraints.register("gear")
class Gear(CombinedConstraint):
    """The angle of one wheel against its carrier is a multiple of another's: one equation, φ₁ = i φ₂ + φ₀.

    The wheels need hinges of their own. Full turns are counted from the last accepted state.
    """

    title: ClassVar[str] = "Gear ratio"

    first_carrier: str = parameter(
        title="First carrier", choices="marker", meaning="Marker beside the first wheel; z is its axis."
    )
    first_wheel: str = parameter(title="First wheel", choices="marker", meaning="Marker on the first wheel.")
    second_carrier: str = parameter(
        title="Second carrier", choices="marker", meaning="Marker beside the second wheel; z is its axis."
    )
    second_wheel: str = parameter(
        title="Second wheel", choices="marker", meaning="Marker on the second wheel."
    )
    ratio: float = parameter(
        -1.0, title="Ratio", meaning="Angle of the first wheel per angle of the second; negative for outer teeth."
    )  # fmt: skip
    offset_as_placed: bool = from_placed_start(False)
    offset: float = parameter(
        0.0, title="Offset", quantity="angle", meaning="Angle of the first wheel where that of the second is zero."
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a gear between two wheels on the ground."""
        return {
            **super().example(),
            "first_carrier": "ground.a",
            "first_wheel": "one.a",
            "second_carrier": "ground.b",
            "second_wheel": "two.a",
        }

    def marker_names(self) -> tuple[str, ...]:
        """Return carriers and wheels."""
        return self.first_carrier, self.first_wheel, self.second_carrier, self.second_wheel

    def summands(self) -> tuple[Summand, ...]:
        """Return φ₁ and −i φ₂."""
        return Summand(1.0, "angle"), Summand(-self.ratio, "angle")
