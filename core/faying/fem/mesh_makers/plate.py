"""A plate with or without a central hole."""

from collections.abc import Mapping
from math import pi

import numpy as np
from pydantic import model_validator

from faying.fem.mesh_makers import mesh_makers
from faying.fem.mesh_makers._bricks import BrickMesh, extruded
from faying.fem.mesh_makers._sections import rectangle, steps, with_hole
from faying.fem.mesh_makers._solid import Away, RoundFace, SolidMaker, plane
from faying.params import parameter


@mesh_makers.register("plate")
class Plate(SolidMaker):
    """A plate centred on the z axis, above z = 0.

    Faces: BOTTOM (z = 0), TOP, LEFT (x < 0), RIGHT, FRONT (y < 0), BACK, and HOLE if there is one. The node REF_LEFT is
    rigidly coupled to LEFT; REF_RIGHT follows the mean motion of RIGHT.
    """

    title = "Plate"
    advice = "A rectangular sheet of bricks, with a round hole in its middle or without."

    length: float = parameter(100.0, title="Length", quantity="length", gt=0.0, meaning="Along x.")
    width: float = parameter(60.0, title="Width", quantity="length", gt=0.0, meaning="Along y.")
    thickness: float = parameter(5.0, title="Thickness", quantity="length", gt=0.0, meaning="Along z.")
    hole: float = parameter(
        0.0,
        title="Hole",
        quantity="length",
        ge=0.0,
        meaning="Diameter of the hole in the middle; 0 for none.",
    )
    layers: int = parameter(
        2, title="Elements through the thickness", ge=1, le=100, meaning="Two or more bend well."
    )

    @model_validator(mode="after")
    def _fits(self) -> "Plate":
        if self.hole >= 0.9 * min(self.length, self.width):
            raise ValueError("the hole leaves no rim: make it narrower than 0.9 of the plate's shorter side")
        return self

    def pieces(self) -> Mapping[str, BrickMesh]:
        """Return the plate."""
        if self.hole:
            section, _ = with_hole(self.length, self.width, [0.5 * self.hole], self.size)
        else:
            section = rectangle(
                *(
                    np.linspace(-0.5 * side, 0.5 * side, steps(side, self.size) + 1)
                    for side in (self.length, self.width)
                )
            )
        return {"PLATE": extruded(section, np.linspace(0.0, self.thickness, self.layers + 1))}

    def faces(self) -> Mapping[str, tuple[str, Away]]:
        """Return the six sides and the wall of the hole."""
        x, y = 0.5 * self.length, 0.5 * self.width
        found = {
            "BOTTOM": plane(2, 0.0), "TOP": plane(2, self.thickness), "LEFT": plane(0, -x), "RIGHT": plane(0, x),
            "FRONT": plane(1, -y), "BACK": plane(1, y),
        }  # fmt: skip
        if self.hole:
            found["HOLE"] = RoundFace(0.5 * self.hole).away
        return {name: ("PLATE", away) for name, away in found.items()}

    def grips(self) -> tuple[str, ...]:
        """Return the sides normal to x."""
        return "LEFT", "RIGHT"

    def rounds(self) -> tuple[RoundFace, ...]:
        """Return the wall of the hole."""
        return (RoundFace(0.5 * self.hole),) if self.hole else ()

    def volume(self) -> float:
        """Return the volume of the box without the hole."""
        return (self.length * self.width - 0.25 * pi * self.hole**2) * self.thickness
