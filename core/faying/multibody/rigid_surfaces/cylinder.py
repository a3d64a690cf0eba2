"""A round bar, or a bore."""

from typing import ClassVar

import numpy as np
from pydantic import field_validator

from faying.multibody.contacts.rigid_shapes import RigidCylinder
from faying.multibody.placement import Vector
from faying.multibody.rigid_surfaces import RigidSurface, rigid_surfaces
from faying.multibody.rigid_surfaces._directions import direction
from faying.params import parameter


@rigid_surfaces.register("cylinder")
class CylinderSurface(RigidSurface):
    """A round bar without ends; hollow, a bore that other parts are in."""

    title: ClassVar[str] = "Cylinder"

    point: Vector = parameter(
        (0.0, 0.0, 0.0),
        title="Point",
        quantity="length",
        meaning="Any point on the axis, in the part's frame.",
    )
    axis: Vector = parameter(
        (0.0, 0.0, 1.0),
        title="Axis",
        meaning="Its direction, in the part's frame; of any length.",
    )
    radius: float = parameter(10.0, title="Radius", quantity="length", gt=0.0, meaning="Of the surface.")
    hollow: bool = parameter(
        False, title="Hollow", meaning="Whether other parts touch it from inside, as a shaft its bearing."
    )

    _check = field_validator("axis")(direction)

    def build(self) -> RigidCylinder:
        """Return the shape."""
        axis = np.array(self.axis)
        return RigidCylinder(np.array(self.point), axis / np.linalg.norm(axis), self.radius, self.hollow)

    def describe(self) -> str:
        """Return form and radius."""
        return f"{'hollow ' if self.hollow else ''}cylinder, radius {self.radius:g}"
