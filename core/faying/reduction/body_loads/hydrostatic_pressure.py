"""A pressure that varies linearly in space, as in a liquid."""

from typing import ClassVar

import numpy as np

from faying.fem.model import FeModel
from faying.fem.surface import Surface
from faying.params import parameter
from faying.reduction.body_loads import body_loads
from faying.reduction.body_loads._on_surface import LoadOnSurface

Vector = tuple[float, float, float]


@body_loads.register("hydrostatic_pressure")
class HydrostaticPressure(LoadOnSurface):
    """p = p₀ + g · (x − x₀), against the outward normals; g is density times gravity, and points downwards."""

    title: ClassVar[str] = "Hydrostatic pressure"

    point: Vector = parameter(
        (0.0, 0.0, 0.0), title="Point", quantity="length",
        meaning="Where the pressure is that of the next line; of a liquid a point of its level.",
    )  # fmt: skip
    pressure: float = parameter(
        0.0,
        title="Pressure there",
        quantity="stress",
        meaning="Force per area; positive presses on the body.",
    )
    gradient: Vector = parameter(
        (0.0, 0.0, 0.0), title="Pressure per length", quantity="contact_stiffness",
        meaning="By how much the pressure grows along x, y and z; of a liquid its density times gravity, downwards.",
    )  # fmt: skip
    suction: bool = parameter(
        False, title="Suction", advanced=True,
        meaning="Whether the pressure may become negative; otherwise it is zero above the level of the liquid.",
    )  # fmt: skip

    def per_area(
        self, points: np.ndarray, normals: np.ndarray, surface: Surface, model: FeModel
    ) -> np.ndarray:
        """Return (m, 3) −p(x) n."""
        pressures = self.pressure + (points - np.array(self.point)) @ np.array(self.gradient)
        if not self.suction:
            pressures = np.maximum(pressures, 0.0)
        return np.asarray(-pressures[:, None] * normals)
