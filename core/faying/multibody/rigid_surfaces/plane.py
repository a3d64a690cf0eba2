"""A plane."""

from typing import ClassVar

import numpy as np
from pydantic import field_validator

from faying.multibody.contacts.rigid_shapes import RigidPlane
from faying.multibody.placement import Vector
from faying.multibody.rigid_surfaces import RigidSurface, rigid_surfaces
from faying.multibody.rigid_surfaces._directions import direction
from faying.params import parameter


@rigid_surfaces.register("plane")
class PlaneSurface(RigidSurface):
    """A plane without end; all behind it is solid."""

    title: ClassVar[str] = "Plane"

    point: Vector = parameter(
        (0.0, 0.0, 0.0), title="Point", quantity="length", meaning="Any point on it, in the part's frame."
    )
    normal: Vector = parameter(
        (0.0, 0.0, 1.0), title="Normal", meaning="Towards what it touches, in the part's frame; of any length."
    )  # fmt: skip

    _check = field_validator("normal")(direction)

    def build(self) -> RigidPlane:
        """Return the shape."""
        normal = np.array(self.normal)
        return RigidPlane(np.array(self.point), normal / np.linalg.norm(normal))

    def describe(self) -> str:
        """Return form and normal."""
        return f"plane, normal {' '.join(f'{c:g}' for c in self.normal)}"
