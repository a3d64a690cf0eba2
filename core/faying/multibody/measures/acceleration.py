"""The acceleration of a marker against another one."""

from collections.abc import Mapping
from typing import ClassVar

from faying.multibody.measures import Component, Observation, PairMeasure, component_of, measures
from faying.params import parameter
from faying.spatial.rotations import cross


@measures.register("acceleration")
class AccelerationMeasure(PairMeasure):
    """The acceleration of the second marker as seen from the first one, which may turn and accelerate itself."""

    quantity: ClassVar[str] = "acceleration"
    of_motion_alone: ClassVar[bool] = False  # forces accelerate

    component: Component = parameter(
        "amount",
        title="Component",
        meaning="Axis of the first marker along which it is measured, or the amount.",
    )

    def value(self, at: Observation, values: Mapping[str, float]) -> float:
        """Return a component of the second derivative of r_j − r_i in the axes of i."""
        i, j = at.motion(self.first), at.motion(self.second)
        (a_i, alpha), (a_j, _) = at.accelerations(self.first), at.accelerations(self.second)
        d, spin = j.position - i.position, i.spin
        rate = j.velocity - i.velocity - cross(spin, d)
        # Less those of a point fixed to i, and Coriolis'.
        seen = a_j - a_i - cross(alpha, d) - cross(spin, cross(spin, d)) - 2.0 * cross(spin, rate)
        return component_of(i.axes.T @ seen, self.component)
