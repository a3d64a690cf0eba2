"""A ball."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from faying.multibody.part_shapes import Solid, SolidShape, part_shapes
from faying.multibody.placement import Vector
from faying.multibody.rigid_surfaces.sphere import SphereSurface
from faying.params import parameter

_RINGS, _ROUND = 17, 36


@part_shapes.register("sphere")
class SphereShape(SolidShape):
    """A solid ball."""

    title: ClassVar[str] = "Sphere"

    centre: Vector = parameter(
        (0.0, 0.0, 0.0), title="Centre", quantity="length", meaning="In the part's frame."
    )
    radius: float = parameter(5.0, title="Radius", quantity="length", gt=0.0, meaning="Of the ball.")

    def contact_surface(self, name: str) -> SphereSurface:
        """Return the ball."""
        return SphereSurface(name=name, centre=self.centre, radius=self.radius)

    def solid(self, markers: Mapping[str, np.ndarray]) -> Solid:
        """Return the ball."""
        volume = 4.0 / 3.0 * np.pi * self.radius**3
        tilt = np.pi * np.arange(1, _RINGS + 1) / (_RINGS + 1)
        turn = 2.0 * np.pi * np.arange(_ROUND) / _ROUND
        rings = np.stack(
            [np.outer(np.sin(tilt), np.cos(turn)), np.outer(np.sin(tilt), np.sin(turn)),
             np.outer(np.cos(tilt), np.ones(_ROUND))], axis=-1,
        )  # fmt: skip
        points = np.concatenate([rings.reshape(-1, 3), [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]])
        number = np.arange(_RINGS * _ROUND).reshape(_RINGS, _ROUND)
        beside, top, bottom = np.roll(number, -1, axis=1), number.size, number.size + 1
        a, b, c, d = number[:-1].ravel(), number[1:].ravel(), beside[1:].ravel(), beside[:-1].ravel()
        triangles = np.concatenate([
            np.column_stack([a, b, c]), np.column_stack([a, c, d]),
            np.column_stack([np.full(_ROUND, top), number[0], beside[0]]),
            np.column_stack([np.full(_ROUND, bottom), beside[-1], number[-1]]),
        ])  # fmt: skip
        tensor = 0.4 * volume * self.radius**2 * np.eye(3)
        centre = np.array(self.centre)
        return Solid(volume, centre, tensor, centre + self.radius * points, triangles)
