"""A ball, or a hole of that form."""

from typing import ClassVar

import numpy as np

from faying.multibody.contacts.rigid_shapes import RigidSphere
from faying.multibody.placement import Vector
from faying.multibody.rigid_surfaces import RigidSurface, rigid_surfaces
from faying.params import parameter


@rigid_surfaces.register("sphere")
class SphereSurface(RigidSurface):
    """A whole ball by centre and radius; hollow, a ball-shaped hole that other parts are in."""

    title: ClassVar[str] = "Sphere"

    centre: Vector = parameter(
        (0.0, 0.0, 0.0), title="Centre", quantity="length", meaning="In the part's frame."
    )
    radius: float = parameter(10.0, title="Radius", quantity="length", gt=0.0, meaning="Of the surface.")
    hollow: bool = parameter(
        False, title="Hollow", meaning="Whether other parts touch it from inside, as the ball of a joint its socket."
    )  # fmt: skip

    @property
    def may_be_slave(self) -> bool:
        """Whether it is a ball, which touches at one point."""
        return not self.hollow

    def build(self) -> RigidSphere:
        """Return the shape."""
        return RigidSphere(np.array(self.centre), self.radius, self.hollow)

    def describe(self) -> str:
        """Return form and radius."""
        return f"{'hollow ' if self.hollow else ''}sphere, radius {self.radius:g}"
