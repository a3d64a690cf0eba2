"""A surface of triangles from a file."""

from typing import ClassVar

import numpy as np

from faying.fem.surface import FacetBlock, Surface
from faying.multibody.contacts.surface import PartSurface, surface_of_mesh
from faying.multibody.placed_triangles import PlacedTriangles
from faying.multibody.rigid_surfaces import RigidSurface, rigid_surfaces
from faying.params import parameter


@rigid_surfaces.register("surface_mesh")
class MeshSurface(PlacedTriangles, RigidSurface):
    """Triangles of an STL or OBJ file, as CAD programs write them. Normals follow the order of their corners."""

    title: ClassVar[str] = "Surface mesh from a file"
    has_nodes: ClassVar[bool] = True

    flipped: bool = parameter(
        False, title="Flipped",
        meaning="Whether the other side of the triangles is the outside; for files that order corners clockwise.",
    )  # fmt: skip

    def build(self) -> PartSurface:
        """Return the triangles.

        Raises:
            ModelError: without a file.
            ReadError: when the file cannot be read.
        """
        return surface_of_mesh(*self.mesh())

    def mesh(self) -> tuple[Surface, np.ndarray]:
        """Return the surface, and (n, 3) its nodes in the part's frame; raises as `build`."""
        points, triangles = self.placed(f"The surface {self.name!r}")
        if self.flipped:
            triangles = triangles[:, ::-1]
        none = np.zeros(len(triangles), np.int64)
        surface = Surface(self.name, (FacetBlock("tri3", triangles, none, none),))
        return surface, points

    def describe(self) -> str:
        """Return the file's name."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1] or "no file yet"
