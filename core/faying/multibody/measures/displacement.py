"""The displacement of a marker along the axes of another one."""

from typing import ClassVar, Literal

from faying.multibody.markers import MarkerMotion
from faying.multibody.measures import PairMeasure, component_of, measures
from faying.params import parameter


@measures.register("displacement")
class DisplacementMeasure(PairMeasure):
    """Where the second marker is, along an axis of the first one."""

    quantity: ClassVar[str] = "length"

    component: Literal["x", "y", "z"] = parameter(
        "x", title="Component", meaning="Axis of the first marker along which it is measured."
    )

    def of_place(self) -> bool:
        """Return True."""
        return True

    def between(self, i: MarkerMotion, j: MarkerMotion) -> float:
        """Return a component of r_j − r_i."""
        return component_of(i.axes.T @ (j.position - i.position), self.component)
