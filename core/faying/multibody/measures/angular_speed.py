"""The angular velocity of a marker against another one."""

from typing import ClassVar

from faying.multibody.markers import MarkerMotion
from faying.multibody.measures import Component, PairMeasure, component_of, measures
from faying.params import parameter


@measures.register("angular_speed")
class AngularSpeedMeasure(PairMeasure):
    """The angular velocity of the second marker against the first one."""

    quantity: ClassVar[str] = "angular_velocity"

    component: Component = parameter(
        "z", title="Component", meaning="Axis of the first marker about which it is measured, or the amount."
    )

    def between(self, i: MarkerMotion, j: MarkerMotion) -> float:
        """Return a component of ω_j − ω_i."""
        return component_of(i.axes.T @ (j.spin - i.spin), self.component)
