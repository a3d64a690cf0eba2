"""A constant pressure on a surface."""

from typing import ClassVar

import numpy as np

from faying.fem.model import FeModel
from faying.fem.surface import Surface
from faying.params import parameter
from faying.reduction.body_loads import body_loads
from faying.reduction.body_loads._on_surface import LoadOnSurface


@body_loads.register("pressure")
class PressureLoad(LoadOnSurface):
    """Presses against the outward normals of the undeformed surface."""

    title: ClassVar[str] = "Pressure"

    pressure: float = parameter(
        0.0, title="Pressure", quantity="stress", meaning="Force per area; positive presses on the body."
    )

    def per_area(
        self, points: np.ndarray, normals: np.ndarray, surface: Surface, model: FeModel
    ) -> np.ndarray:
        """Return (m, 3) −p n."""
        return -self.pressure * normals
