"""A block of nearly cubic bricks."""

from collections.abc import Mapping

import numpy as np

from faying.fem.mesh_makers import mesh_makers
from faying.fem.mesh_makers._bricks import BrickMesh, extruded
from faying.fem.mesh_makers._sections import rectangle, steps
from faying.fem.mesh_makers._solid import Away, SolidMaker, plane
from faying.params import parameter


@mesh_makers.register("block")
class Block(SolidMaker):
    """A block centred on the z axis, above z = 0.

    Faces: BOTTOM (z = 0), TOP, LEFT (x < 0), RIGHT, FRONT (y < 0), BACK. The node REF_BOTTOM is rigidly coupled to
    BOTTOM; REF_TOP follows the mean motion of TOP.
    """

    title = "Block"
    advice = "A box of bricks that are nearly cubes."

    length: float = parameter(50.0, title="Length", quantity="length", gt=0.0, meaning="Along x.")
    width: float = parameter(40.0, title="Width", quantity="length", gt=0.0, meaning="Along y.")
    height: float = parameter(30.0, title="Height", quantity="length", gt=0.0, meaning="Along z.")

    def pieces(self) -> Mapping[str, BrickMesh]:
        """Return the block."""
        x, y = (
            np.linspace(-0.5 * side, 0.5 * side, steps(side, self.size) + 1)
            for side in (self.length, self.width)
        )
        up = np.linspace(0.0, self.height, steps(self.height, self.size) + 1)
        return {"BLOCK": extruded(rectangle(x, y), up)}

    def faces(self) -> Mapping[str, tuple[str, Away]]:
        """Return the six sides."""
        x, y = 0.5 * self.length, 0.5 * self.width
        found = {
            "BOTTOM": plane(2, 0.0), "TOP": plane(2, self.height), "LEFT": plane(0, -x), "RIGHT": plane(0, x),
            "FRONT": plane(1, -y), "BACK": plane(1, y),
        }  # fmt: skip
        return {name: ("BLOCK", away) for name, away in found.items()}

    def grips(self) -> tuple[str, ...]:
        """Return bottom and top."""
        return "BOTTOM", "TOP"

    def volume(self) -> float:
        """Return length times width times height."""
        return self.length * self.width * self.height
