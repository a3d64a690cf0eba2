"""The velocity of a marker against another one."""

from typing import ClassVar, Literal

import numpy as np

from faying.multibody.markers import MarkerMotion
from faying.multibody.measures import PairMeasure, component_of, measures
from faying.params import parameter
from faying.spatial.rotations import cross


@measures.register("velocity")
class VelocityMeasure(PairMeasure):
    """The velocity of the second marker as seen from the first one, which may turn itself."""

    quantity: ClassVar[str] = "velocity"

    component: Literal["x", "y", "z", "amount", "distance"] = parameter(
        "amount", title="Component",
        meaning="Axis of the first marker, the amount, or distance for the rate of the distance of both.",
    )  # fmt: skip

    def between(self, i: MarkerMotion, j: MarkerMotion) -> float:
        """Return a component of the rate of r_j − r_i in the axes of i."""
        d = j.position - i.position
        rate = j.velocity - i.velocity - cross(i.spin, d)
        if self.component == "distance":
            size = float(np.linalg.norm(d))
            return float(rate @ d) / size if size > 0.0 else 0.0
        return component_of(i.axes.T @ rate, self.component)
