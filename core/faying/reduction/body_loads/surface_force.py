"""A force distributed evenly over a surface."""

from typing import ClassVar

import numpy as np

from faying.fem.model import FeModel
from faying.fem.pressure import traction_forces
from faying.fem.surface import Surface
from faying.params import parameter
from faying.reduction.body_loads import body_loads
from faying.reduction.body_loads._on_surface import LoadOnSurface

Vector = tuple[float, float, float]


@body_loads.register("surface_force")
class SpreadForce(LoadOnSurface):
    """A uniform force per area with a given resultant."""

    title: ClassVar[str] = "Force on a surface"

    force: Vector = parameter(
        (0.0, 0.0, 0.0), title="Force", quantity="force", meaning="Sum of what acts, along x, y, z."
    )

    def per_area(
        self, points: np.ndarray, normals: np.ndarray, surface: Surface, model: FeModel
    ) -> np.ndarray:
        """Return (m, 3) the force over the area."""
        unit = traction_forces(surface, model.nodes, lambda x, n: np.broadcast_to([1.0, 0.0, 0.0], x.shape))
        return np.broadcast_to(np.array(self.force) / unit[:, 0].sum(), points.shape)
