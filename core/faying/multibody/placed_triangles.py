"""Triangles of a file at a place of a part, as decisions."""

from pathlib import Path

import numpy as np

from faying.errors import ModelError
from faying.multibody.placement import Vector
from faying.multibody.triangle_files import read_triangles
from faying.params import Member, parameter
from faying.spatial.rotations import rotation_about, rotation_matrix


class PlacedTriangles(Member):
    """Triangles of an STL or OBJ file in a part's frame; for members that are made of them."""

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

    def placed(self, what: str) -> tuple[np.ndarray, np.ndarray]:
        """Return points (n, 3) in the part's frame, and triangles (m, 3) as rows of them.

        Args:
            what: owner of the file, for the error message: "The shape".

        Raises:
            ModelError: without a file.
            ReadError: when the file cannot be read.
        """
        if not self.path:
            raise ModelError(f"{what} has no file yet.", "Choose an STL or OBJ file.")
        points, triangles = read_triangles(Path(self.path))
        axes = rotation_matrix(rotation_about(np.array(self.rotation)))
        return np.array(self.position) + self.scale * points @ axes.T, triangles
