"""A bolt with hexagonal head and nut."""

from collections.abc import Mapping
from math import pi

from pydantic import model_validator

from faying.fem.mesh_makers import mesh_makers
from faying.fem.mesh_makers._bolt import HEXAGON, bolt_bricks
from faying.fem.mesh_makers._bricks import BrickMesh
from faying.fem.mesh_makers._solid import Away, RoundFace, SolidMaker, both, inside, plane
from faying.params import parameter
from faying.units import amount


@mesh_makers.register("bolt")
class HexagonBolt(SolidMaker):
    """A bolt along z in one piece with its nut: nut below z = 0, shank along the grip, head above.

    Faces: HEAD and NUT, their bearing surfaces; SHANK along the grip. The node REF_NUT is rigidly coupled to NUT;
    REF_HEAD follows the mean motion of HEAD. The default is an M8 with the sizes of ISO 4014 and ISO 4032.
    """

    title = "Bolt with head and nut"
    advice = "A hexagon bolt of one piece with its nut; the shank is smooth."

    diameter: float = parameter(8.0, title="Diameter", quantity="length", gt=0.0, meaning="Of the shank.")
    across: float = parameter(
        13.0, title="Width across flats", quantity="length", gt=0.0, meaning="Of head and nut."
    )
    grip: float = parameter(
        20.0, title="Grip", quantity="length", gt=0.0, meaning="Distance between head and nut."
    )
    head: float = parameter(5.3, title="Head", quantity="length", gt=0.0, meaning="Height of the head.")
    nut: float = parameter(6.8, title="Nut", quantity="length", gt=0.0, meaning="Height of the nut.")
    size: float = parameter(
        1.5, title="Element size", quantity="length", gt=0.0,
        meaning="Edge length of the bricks, about; at least twelve stand round the shank.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _fits(self) -> "HexagonBolt":
        if self.across <= 1.05 * self.diameter:
            raise ValueError(
                f"head and nut are hardly wider than the shank of {amount(self.diameter, 'length')}"
            )
        return self

    def pieces(self) -> Mapping[str, BrickMesh]:
        """Return the bolt."""
        return {"BOLT": bolt_bricks(self.diameter, self.across, self.nut, self.grip, self.head, self.size)}

    def faces(self) -> Mapping[str, tuple[str, Away]]:
        """Return the seats of head and nut, and the shank."""
        shank = both(RoundFace(0.5 * self.diameter).away, inside(2, 0.0, self.grip))
        found = {"HEAD": plane(2, self.grip), "NUT": plane(2, 0.0), "SHANK": shank}
        return {name: ("BOLT", away) for name, away in found.items()}

    def grips(self) -> tuple[str, ...]:
        """Return the seats."""
        return "NUT", "HEAD"

    def rounds(self) -> tuple[RoundFace, ...]:
        """Return the shank."""
        return (RoundFace(0.5 * self.diameter),)

    def volume(self) -> float:
        """Return the volume of two hexagons and the shank."""
        hexagons = HEXAGON * self.across**2 * (self.head + self.nut)
        return hexagons + 0.25 * pi * self.diameter**2 * self.grip

    def facts(self) -> list[tuple[str, str]]:
        """Return volume, mass, and the area of each seat."""
        seat = HEXAGON * self.across**2 - 0.25 * pi * self.diameter**2
        return [*super().facts(), ("Seat", amount(seat, "area", 6))]
