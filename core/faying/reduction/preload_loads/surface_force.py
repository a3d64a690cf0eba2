"""A force spread over a surface: a bolt force on a washer area."""

from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.fem.pressure import pressure_forces
from faying.fem.selections import surface_selections
from faying.params import member_of, parameter
from faying.reduction.preload_loads import PreloadAction, PreloadedBody, PreloadLoad, preload_loads


@preload_loads.register("surface_force")
class SurfaceForce(PreloadLoad):
    """A constant pressure of a given resultant. Two of them, on both washer areas, make a bolt."""

    title: ClassVar[str] = "Force on a surface"

    surface: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Surface", meaning="Where it acts, such as the area under a bolt's head or nut."
    )
    force: float = parameter(
        0.0,
        title="Force",
        quantity="force",
        meaning="Resultant of the pressure; positive presses on the body.",
    )

    def act(self, on: PreloadedBody) -> PreloadAction:
        """Return the nodal forces of the pressure that has this resultant.

        Raises:
            ModelError: when the surface is closed, so that a constant pressure on it has no resultant.
        """
        surface = self.surface.select(on.model, on.skin)
        forces = pressure_forces(surface, on.model.nodes)
        resultant = np.linalg.norm(forces.sum(axis=0))
        if resultant < 1e-6 * np.linalg.norm(forces, axis=1).sum():
            raise ModelError(
                f"A pressure on the surface {self.surface.describe()!r} has no resultant.",
                "Choose a surface that faces one way, or give the pressure instead.",
            )
        spread = self.force / resultant * forces
        return PreloadAction(np.asarray(on.dofs.displacement_rows.T @ spread.ravel()))
