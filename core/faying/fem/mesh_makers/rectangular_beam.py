"""A beam of rectangular section."""

from collections.abc import Mapping

import numpy as np

from faying.fem.mesh_makers import mesh_makers
from faying.fem.mesh_makers._beam import BeamMaker
from faying.fem.mesh_makers._sections import PlaneMesh, rectangle, steps
from faying.fem.mesh_makers._solid import Away, plane
from faying.params import parameter


@mesh_makers.register("rectangular_beam")
class RectangularBeam(BeamMaker):
    """A beam along x, of a width along y and a height along z.

    Faces: START, END, LEFT (y < 0), RIGHT, BOTTOM (z < 0), TOP. The node REF_START is rigidly coupled to START; REF_END
    follows the mean motion of END.
    """

    title = "Beam, rectangular"
    advice = "A straight bar of rectangular section, to be held or loaded at its ends."

    width: float = parameter(
        20.0, title="Width", quantity="length", gt=0.0, meaning="Of the section, along y."
    )
    height: float = parameter(
        10.0, title="Height", quantity="length", gt=0.0, meaning="Of the section, along z."
    )

    def section(self) -> PlaneMesh:
        """Return a rectangle."""
        y, z = (
            np.linspace(-0.5 * side, 0.5 * side, steps(side, self.size, 2) + 1)
            for side in (self.width, self.height)
        )
        return rectangle(y, z)

    def sides(self) -> Mapping[str, Away]:
        """Return the four sides."""
        y, z = 0.5 * self.width, 0.5 * self.height
        return {"LEFT": plane(1, -y), "RIGHT": plane(1, y), "BOTTOM": plane(2, -z), "TOP": plane(2, z)}

    def area(self) -> float:
        """Return b h."""
        return self.width * self.height

    def second_moments(self) -> tuple[float, float]:
        """Return b h³/12 and h b³/12."""
        return self.width * self.height**3 / 12.0, self.height * self.width**3 / 12.0
