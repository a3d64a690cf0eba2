"""A solid cylinder."""

from collections.abc import Mapping
from math import pi

import numpy as np

from faying.fem.mesh_makers import mesh_makers
from faying.fem.mesh_makers._bricks import BrickMesh, extruded
from faying.fem.mesh_makers._sections import disc_of_size, steps
from faying.fem.mesh_makers._solid import Away, RoundFace, SolidMaker, plane
from faying.params import parameter


@mesh_makers.register("cylinder")
class SolidCylinder(SolidMaker):
    """A cylinder about the z axis, above z = 0.

    Faces: BOTTOM (z = 0), TOP, SIDE. The node REF_BOTTOM is rigidly coupled to BOTTOM; REF_TOP follows the mean motion
    of TOP.
    """

    title = "Cylinder"
    advice = "A solid cylinder, such as a pin, a pad or a punch."

    diameter: float = parameter(40.0, title="Diameter", quantity="length", gt=0.0, meaning="Of the cylinder.")
    height: float = parameter(40.0, title="Height", quantity="length", gt=0.0, meaning="Along z.")

    def pieces(self) -> Mapping[str, BrickMesh]:
        """Return the cylinder."""
        up = np.linspace(0.0, self.height, steps(self.height, self.size) + 1)
        return {"CYLINDER": extruded(disc_of_size(0.5 * self.diameter, self.size), up)}

    def faces(self) -> Mapping[str, tuple[str, Away]]:
        """Return both ends and the round side."""
        side = RoundFace(0.5 * self.diameter).away
        found = {"BOTTOM": plane(2, 0.0), "TOP": plane(2, self.height), "SIDE": side}
        return {name: ("CYLINDER", away) for name, away in found.items()}

    def grips(self) -> tuple[str, ...]:
        """Return bottom and top."""
        return "BOTTOM", "TOP"

    def rounds(self) -> tuple[RoundFace, ...]:
        """Return the round side."""
        return (RoundFace(0.5 * self.diameter),)

    def volume(self) -> float:
        """Return π d² h/4."""
        return 0.25 * pi * self.diameter**2 * self.height
