"""A surface inside a box."""

import numpy as np

from faying.fem.selections import surface_selections
from faying.fem.selections._region import RegionSelection, Vector, point_text
from faying.params import parameter


@surface_selections.register("box")
class BoxSelection(RegionSelection):
    """The exterior facets in a box along the coordinate axes."""

    corner: Vector = parameter(
        (0.0, 0.0, 0.0), title="Corner", quantity="length", meaning="One corner of the box."
    )
    opposite: Vector = parameter(
        (1.0, 1.0, 1.0), title="Opposite corner", quantity="length", meaning="The corner farthest from it."
    )

    def contains(self, points: np.ndarray) -> np.ndarray:
        """Return (n,) whether points (n, 3) are inside or, to within round-off, on the box."""
        low, high = np.sort([self.corner, self.opposite], axis=0)
        margin = 1e-9 * np.linalg.norm(high - low)
        return np.asarray(((points >= low - margin) & (points <= high + margin)).all(axis=1))

    def describe(self) -> str:
        """Return both corners as text."""
        return f"box {point_text(self.corner)} to {point_text(self.opposite)}"
