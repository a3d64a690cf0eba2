"""A stop of a distance or a displacement."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np

from faying.multibody.forces import GAP, Reading, forces
from faying.multibody.markers import MarkerMotion
from faying.multibody.stop_force import StopForce
from faying.params import parameter
from faying.spatial.rotations import cross


@forces.register("stop")
class Stop(StopForce):
    """Keeps the distance of two markers, or a displacement along an axis of the first, between limits, elastically."""

    readings: ClassVar[tuple[Reading, ...]] = (GAP,)

    of: Literal["distance", "x", "y", "z"] = parameter(
        "distance", title="Of",
        meaning="What is limited: the distance of the markers, or the displacement along an axis of the first one.",
    )  # fmt: skip
    lower: float | None = parameter(
        0.0, title="Lower limit", quantity="length", meaning="Least length; empty for none."
    )
    upper: float | None = parameter(
        None, title="Upper limit", quantity="length", meaning="Largest length; empty for none."
    )
    stiffness: float = parameter(
        1000.0, title="Stiffness", quantity="stiffness", gt=0.0, meaning="Force per penetration."
    )
    restitution_speed: float = parameter(
        0.0, title="Speed of the restitution", quantity="velocity", ge=0.0, advanced=True,
        meaning="Approach speed for which the restitution holds; zero for the speed of each touch.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one that the markers are beyond, and that loses energy."""
        words = {
            "of": "z",
            "lower": None,
            "upper": -2.0,
            "stiffness": 3.0,
            "restitution": 0.6,
            "restitution_speed": 2.0,
        }
        return {**super().example(), **words}

    @property
    def touch_speed(self) -> float:
        """The approach speed for which the restitution holds; zero for that of each touch."""
        return self.restitution_speed

    def first_angles(self) -> np.ndarray:
        """Return (1,) zero: no touch yet."""
        return np.zeros(1)

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (1,) the speed with which the present touch began."""
        i, j = markers
        return np.array([self.speed_of_touch(i, j, last)])

    def measured(
        self, i: MarkerMotion, j: MarkerMotion, angles: np.ndarray
    ) -> tuple[float, float, np.ndarray, np.ndarray]:
        """Return the length, its rate, and the unit force (3,) that raises it."""
        d, rate = j.position - i.position, j.velocity - i.velocity
        if self.of == "distance":
            size = float(np.linalg.norm(d))
            along = d / size if size > 0.0 else np.zeros(3)
            return size, float(rate @ along), along, np.zeros(3)
        axis = i.axes[:, "xyz".index(self.of)]
        return float(d @ axis), float((rate - cross(i.spin, d)) @ axis), axis, np.zeros(3)

    def read(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> tuple[float, ...]:
        """Return the gap to the nearest limit."""
        i, j = markers
        return (self.gap(self.measured(i, j, angles)[0]),)
