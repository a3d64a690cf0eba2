"""A surface inside a cylinder, such as the surroundings of a bolt."""

from typing import Self

import numpy as np
from pydantic import model_validator

from faying.fem.selections import surface_selections
from faying.fem.selections._region import RegionSelection, Vector, point_text
from faying.params import parameter


@surface_selections.register("cylinder")
class CylinderSelection(RegionSelection):
    """The exterior facets in a cylinder, or between two cylinders about the same axis."""

    start: Vector = parameter(
        (0.0, 0.0, 0.0), title="Start of the axis", quantity="length", meaning="Middle of one end."
    )
    end: Vector = parameter(
        (0.0, 0.0, 1.0), title="End of the axis", quantity="length", meaning="Middle of the other end."
    )
    radius: float = parameter(1.0, title="Radius", quantity="length", gt=0.0, meaning="Its radius.")
    inner_radius: float = parameter(
        0.0, title="Inner radius", quantity="length", ge=0.0, advanced=True,
        meaning="Facets nearer to the axis are left out.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _has_length(self) -> Self:
        if self.start == self.end:
            raise ValueError("start and end of the axis are the same point")
        return self

    def contains(self, points: np.ndarray) -> np.ndarray:
        """Return (n,) whether points (n, 3) are inside or, to within round-off, on the cylinder."""
        start, axis = np.array(self.start), np.subtract(self.end, self.start)
        along = (points - start) @ axis / (axis @ axis)
        away = np.linalg.norm(points - start - along[:, None] * axis, axis=1)
        between = (along >= -1e-9) & (along <= 1.0 + 1e-9)
        return np.asarray(
            between & (away <= self.radius * (1.0 + 1e-9)) & (away >= self.inner_radius * (1.0 - 1e-9))
        )

    def describe(self) -> str:
        """Return the ends of the axis and the radius as text."""
        return f"cylinder {point_text(self.start)} to {point_text(self.end)}, radius {self.radius:.4g}"
