"""A cylinder or tube."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.multibody.contacts.round_face import Roller
from faying.multibody.part_shapes import Solid, SolidShape, axes_along, part_shapes, tube
from faying.multibody.placement import Vector
from faying.params import parameter


@part_shapes.register("cylinder")
class CylinderShape(SolidShape):
    """A solid cylinder or a tube: shafts, discs, wheels, pistons."""

    title: ClassVar[str] = "Cylinder"

    start: Vector = parameter(
        (0.0, 0.0, -5.0), title="From", quantity="length", meaning="Middle of one end, in the part's frame."
    )
    end: Vector = parameter(
        (0.0, 0.0, 5.0),
        title="To",
        quantity="length",
        meaning="Middle of the other end, in the part's frame.",
    )
    radius: float = parameter(5.0, title="Radius", quantity="length", gt=0.0, meaning="Of its outside.")
    bore: float = parameter(
        0.0,
        title="Radius of the bore",
        quantity="length",
        ge=0.0,
        meaning="Of a hole along it; zero for none.",
    )

    def solid(self, markers: Mapping[str, np.ndarray]) -> Solid:
        """Return the cylinder; raises ModelError for one without length or wall."""
        start, along = np.array(self.start), np.subtract(self.end, self.start)
        if not along.any() or self.bore >= self.radius:
            raise ModelError(
                "A cylinder needs two ends in different places, and a bore that is smaller than itself.",
                "Change its ends or radii.",
            )
        made = tube(self.radius, self.bore, float(np.linalg.norm(along)))
        return made.turned(axes_along(along), start + 0.5 * along)

    def roller(self) -> Roller | None:
        """Return its round face; None of a tube, in whose bore others may be."""
        return None if self.bore else Roller(np.array(self.start), np.array(self.end), self.radius)
