"""A pressure on a surface."""

from typing import ClassVar

import numpy as np

from faying.fem.pressure import pressure_forces
from faying.fem.selections import surface_selections
from faying.params import member_of, parameter
from faying.reduction.preload_loads import PreloadAction, PreloadedBody, PreloadLoad, preload_loads


@preload_loads.register("surface_pressure")
class SurfacePressure(PreloadLoad):
    """A constant pressure against the outward normals of a surface."""

    title: ClassVar[str] = "Pressure on a surface"

    surface: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Surface", meaning="Where it acts, such as a washer area or the bore of a press fit."
    )
    pressure: float = parameter(
        0.0, title="Pressure", quantity="stress", meaning="Force per area; positive presses on the body."
    )

    def act(self, on: PreloadedBody) -> PreloadAction:
        """Return the consistent nodal forces."""
        surface = self.surface.select(on.model, on.skin)
        forces = self.pressure * pressure_forces(surface, on.model.nodes)
        return PreloadAction(np.asarray(on.dofs.displacement_rows.T @ forces.ravel()))
