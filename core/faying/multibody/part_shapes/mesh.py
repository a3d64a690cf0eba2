"""A solid whose outside comes from a file."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.multibody.part_shapes import Solid, SolidShape, part_shapes
from faying.multibody.placed_triangles import PlacedTriangles

_OPEN = 1e-3  # of its area: tolerance of the vector sum of the areas of a closed surface


@part_shapes.register("mesh")
class MeshShape(PlacedTriangles, SolidShape):
    """A solid bounded by the triangles of an STL or OBJ file, as CAD programs write them."""

    title: ClassVar[str] = "Solid from an STL or OBJ file"

    def solid(self, markers: Mapping[str, np.ndarray]) -> Solid:
        """Return the solid; raises a FayingError without a file, or for a surface that is open."""
        return solid_within(*self.placed("The shape"), self.path)


def solid_within(points: np.ndarray, triangles: np.ndarray, name: str) -> Solid:
    """Return the solid within closed triangles, whichever way they face.

    Volume, centre and second moments are sums over the tetrahedra from a point to every triangle (Mirtich 1996): of one
    with corners 0, a, b, c the integral of x xᵀ is V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ) with s = a + b + c.

    Raises:
        ModelError: when the triangles do not close, or hold no volume.
    """
    origin = points.mean(axis=0)
    a, b, c = (points[triangles[:, k]] - origin for k in range(3))
    areas = 0.5 * np.cross(b - a, c - a)
    if np.linalg.norm(areas.sum(axis=0)) > _OPEN * np.linalg.norm(areas, axis=1).sum():
        raise ModelError(
            f"The surface of {name} is open: its mass is not defined.",
            "Close it in the CAD program, or give the part its mass and inertia by numbers.",
        )
    volumes = np.einsum("ni,ni->n", a, np.cross(b, c)) / 6.0
    volume = float(volumes.sum())
    if abs(volume) < 1e-12 * float(np.ptp(points, axis=0).max()) ** 3:
        raise ModelError(f"The surface of {name} holds no volume.", "Choose a file of a solid.")
    total = a + b + c
    centre = volumes @ total / 4.0 / volume
    second = sum(np.einsum("n,ni,nj->ij", volumes, each, each) for each in (a, b, c, total)) / 20.0
    about_centre = second - volume * np.outer(centre, centre)
    inertia = np.trace(about_centre) * np.eye(3) - about_centre
    sign = np.sign(volume)
    outward = triangles if sign > 0 else triangles[:, ::-1]
    return Solid(abs(volume), origin + centre, sign * inertia, points, outward)
