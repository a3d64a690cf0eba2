"""A force per area of given direction on a surface."""

from typing import ClassVar

import numpy as np

from faying.fem.model import FeModel
from faying.fem.surface import Surface
from faying.params import parameter
from faying.reduction.body_loads import body_loads
from faying.reduction.body_loads._on_surface import LoadOnSurface

Vector = tuple[float, float, float]


@body_loads.register("traction")
class TractionLoad(LoadOnSurface):
    """A uniform force per area in the body's directions."""

    title: ClassVar[str] = "Traction"

    traction: Vector = parameter(
        (0.0, 0.0, 0.0), title="Traction", quantity="stress", meaning="Force per area along x, y, z."
    )

    def per_area(
        self, points: np.ndarray, normals: np.ndarray, surface: Surface, model: FeModel
    ) -> np.ndarray:
        """Return (m, 3) the constant vector."""
        return np.broadcast_to(np.array(self.traction), points.shape)
