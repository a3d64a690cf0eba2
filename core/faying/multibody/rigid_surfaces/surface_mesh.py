"""A surface of triangles from a file."""

from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.fem.surface import FacetBlock, Surface
from faying.multibody.contacts.surface import PartSurface, surface_of_mesh
from faying.multibody.placement import Vector
from faying.multibody.rigid_surfaces import RigidSurface, rigid_surfaces
from faying.multibody.triangle_files import read_triangles
from faying.params import parameter
from faying.spatial.rotations import rotation_about, rotation_matrix


@rigid_surfaces.register("surface_mesh")
class MeshSurface(RigidSurface):
    """Triangles of an STL or OBJ file, as CAD programs write them. Normals follow the order of their corners."""

    title: ClassVar[str] = "Surface mesh from a file"
    has_nodes: ClassVar[bool] = True

    path: str = parameter(
        "", title="File", choices="file",
        meaning="STL (text or binary) or OBJ; a relative path counts from the study or project file.",
    )  # fmt: skip
    scale: float = parameter(
        1.0, title="Scale", gt=0.0,
        meaning="Length in the project's units of one unit of the file; 1000 for a file in m in a project in mm.",
    )  # fmt: skip
    position: Vector = parameter(
        (0.0, 0.0, 0.0), title="Position", quantity="length",
        meaning="Of the file's origin, in the part's frame.",
    )  # fmt: skip
    rotation: Vector = parameter(
        (0.0, 0.0, 0.0), title="Rotation", quantity="angle",
        meaning="Rotation vector of the file's axes in the part's frame: the axis of rotation times the angle.",
    )  # fmt: skip
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
        if not self.path:
            raise ModelError(f"The surface {self.name!r} has no file.", "Choose an STL or OBJ file.")
        points, triangles = read_triangles(Path(self.path))
        axes = rotation_matrix(rotation_about(np.array(self.rotation)))
        if self.flipped:
            triangles = triangles[:, ::-1]
        none = np.zeros(len(triangles), np.int64)
        surface = Surface(self.name, (FacetBlock("tri3", triangles, none, none),))
        return surface, np.array(self.position) + self.scale * points @ axes.T

    def describe(self) -> str:
        """Return the file's name."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1] or "no file yet"
