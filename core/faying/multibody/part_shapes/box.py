"""A box."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.multibody.part_shapes import Solid, SolidShape, brick, part_shapes
from faying.multibody.placement import Vector
from faying.params import parameter
from faying.spatial.rotations import rotation_about, rotation_matrix


@part_shapes.register("box")
class BoxShape(SolidShape):
    """A solid box."""

    title: ClassVar[str] = "Box"

    edges: Vector = parameter(
        (10.0, 10.0, 10.0),
        title="Edges",
        quantity="length",
        meaning="Lengths along the box's own x, y and z.",
    )
    middle: Vector = parameter(
        (0.0, 0.0, 0.0), title="Middle", quantity="length", meaning="Of the box, in the part's frame."
    )
    rotation: Vector = parameter(
        (0.0, 0.0, 0.0), title="Rotation", quantity="angle", advanced=True,
        meaning="Rotation vector of its axes in the part's frame: the axis of rotation times the angle.",
    )  # fmt: skip

    def solid(self, markers: Mapping[str, np.ndarray]) -> Solid:
        """Return the box; raises ModelError for edges without a length."""
        if min(self.edges) <= 0.0:
            raise ModelError("A box needs three edges that are longer than zero.", "Give their lengths.")
        axes = rotation_matrix(rotation_about(np.array(self.rotation)))
        return brick(*self.edges).turned(axes, np.array(self.middle))
