"""A surface inside a sphere."""

import numpy as np

from faying.fem.selections import surface_selections
from faying.fem.selections._region import RegionSelection, Vector, point_text
from faying.params import parameter


@surface_selections.register("sphere")
class SphereSelection(RegionSelection):
    """The exterior facets in a sphere."""

    centre: Vector = parameter((0.0, 0.0, 0.0), title="Centre", quantity="length", meaning="Its centre.")
    radius: float = parameter(1.0, title="Radius", quantity="length", gt=0.0, meaning="Its radius.")

    def contains(self, points: np.ndarray) -> np.ndarray:
        """Return (n,) whether points (n, 3) are inside or, to within round-off, on the sphere."""
        away = np.linalg.norm(points - np.array(self.centre), axis=1)
        return np.asarray(away <= self.radius * (1.0 + 1e-9))

    def describe(self) -> str:
        """Return centre and radius."""
        return f"sphere at {point_text(self.centre)}, radius {self.radius:.4g}"
