"""A tube."""

from collections.abc import Mapping
from math import pi

import numpy as np
from pydantic import model_validator

from faying.fem.mesh_makers import mesh_makers
from faying.fem.mesh_makers._bricks import BrickMesh, extruded
from faying.fem.mesh_makers._sections import between, round_outline, steps
from faying.fem.mesh_makers._solid import Away, RoundFace, SolidMaker, plane
from faying.params import parameter
from faying.units import amount

_AROUND = 8  # least number of elements around the axis


@mesh_makers.register("tube")
class Tube(SolidMaker):
    """A tube about the z axis, above z = 0.

    Faces: BOTTOM (z = 0), TOP, OUTER, INNER. The node REF_BOTTOM is rigidly coupled to BOTTOM; REF_TOP follows the mean
    motion of TOP.
    """

    title = "Tube"
    advice = "A hollow cylinder, such as a pipe, a sleeve or a ring."

    diameter: float = parameter(
        60.0, title="Outer diameter", quantity="length", gt=0.0, meaning="Of the tube."
    )
    wall: float = parameter(
        5.0, title="Wall", quantity="length", gt=0.0, meaning="Half of outer less inner diameter."
    )
    height: float = parameter(100.0, title="Length", quantity="length", gt=0.0, meaning="Along z.")
    layers: int = parameter(
        2, title="Elements through the wall", ge=1, le=100, meaning="Two or more bend well."
    )

    @model_validator(mode="after")
    def _fits(self) -> "Tube":
        if 2.0 * self.wall >= self.diameter:
            raise ValueError(
                f"the wall leaves no bore: make it thinner than {amount(0.5 * self.diameter, 'length')}"
            )
        return self

    def pieces(self) -> Mapping[str, BrickMesh]:
        """Return the tube."""
        inner, outer = self._radii
        count = steps(pi * (inner + outer), self.size, _AROUND)
        angles = np.linspace(0.0, 2.0 * pi, count + 1)[:-1]
        section = between([round_outline(inner, angles), round_outline(outer, angles)], [self.layers])
        return {"TUBE": extruded(section, np.linspace(0.0, self.height, steps(self.height, self.size) + 1))}

    def faces(self) -> Mapping[str, tuple[str, Away]]:
        """Return both ends and both cylindrical sides."""
        inner, outer = self.rounds()
        found = {
            "BOTTOM": plane(2, 0.0), "TOP": plane(2, self.height), "OUTER": outer.away, "INNER": inner.away,
        }  # fmt: skip
        return {name: ("TUBE", away) for name, away in found.items()}

    def grips(self) -> tuple[str, ...]:
        """Return bottom and top."""
        return "BOTTOM", "TOP"

    def rounds(self) -> tuple[RoundFace, ...]:
        """Return the inner and the outer side."""
        inner, outer = self._radii
        return RoundFace(inner), RoundFace(outer)

    def volume(self) -> float:
        """Return π (r_o² − r_i²) h."""
        inner, outer = self._radii
        return pi * (outer**2 - inner**2) * self.height

    @property
    def _radii(self) -> tuple[float, float]:
        return 0.5 * self.diameter - self.wall, 0.5 * self.diameter
