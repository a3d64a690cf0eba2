"""Two pulleys that a belt or a chain turns together."""

from typing import Any, ClassVar

from faying.multibody.constraints import constraints
from faying.multibody.constraints._combined import CombinedConstraint, Summand, from_placed_start
from faying.params import parameter


@constraints.register("belt")
class Belt(CombinedConstraint):
    """A belt or chain that neither stretches nor slips: one equation, R₁ φ₁ ∓ R₂ φ₂ = c, plus for a crossed one.

    The pulleys need hinges of their own, with axes that point the same way.
    """

    title: ClassVar[str] = "Belt or chain"
    holds: ClassVar[str] = "length of the belt"

    first_carrier: str = parameter(
        title="First carrier", choices="marker", meaning="Marker at the first pulley's hinge; z is its axis."
    )
    first_pulley: str = parameter(
        title="First pulley", choices="marker", meaning="Marker on the first pulley."
    )
    second_carrier: str = parameter(
        title="Second carrier",
        choices="marker",
        meaning="Marker at the second pulley's hinge; z is its axis.",
    )
    second_pulley: str = parameter(
        title="Second pulley", choices="marker", meaning="Marker on the second pulley."
    )
    first_radius: float = parameter(
        10.0, title="First radius", quantity="length", gt=0.0, meaning="Effective radius of the first pulley."
    )
    second_radius: float = parameter(
        10.0,
        title="Second radius",
        quantity="length",
        gt=0.0,
        meaning="Effective radius of the second pulley.",
    )
    crossed: bool = parameter(
        False,
        title="Crossed",
        meaning="Whether the belt is crossed, so that the pulleys turn against each other.",
    )
    offset_as_placed: bool = from_placed_start()
    offset: float = parameter(
        0.0,
        title="Offset",
        quantity="length",
        meaning="Length of belt on the first pulley, where angles are zero.",
    )

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a crossed one between two pulleys on the ground."""
        markers = {"first_carrier": "ground.a", "first_pulley": "one.a", "second_carrier": "ground.b",
                   "second_pulley": "two.a"}  # fmt: skip
        return {**super().example(), **markers, "crossed": True}

    def marker_names(self) -> tuple[str, ...]:
        """Return carriers and pulleys."""
        return self.first_carrier, self.first_pulley, self.second_carrier, self.second_pulley

    def summands(self) -> tuple[Summand, ...]:
        """Return R₁ φ₁ and ∓R₂ φ₂."""
        second = self.second_radius if self.crossed else -self.second_radius
        return Summand(self.first_radius, "angle"), Summand(second, "angle")
