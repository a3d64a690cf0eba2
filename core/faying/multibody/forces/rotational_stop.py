"""A stop of an angle."""

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from faying.multibody.forces import ANGLE, Reading, forces
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import angle_about_z, angle_row_about_z, unwrapped
from faying.multibody.stop_force import StopForce
from faying.params import parameter


@forces.register("rotational_stop")
class RotationalStop(StopForce):
    """Keeps the angle of the second marker about the first one's z axis between limits, elastically."""

    readings: ClassVar[tuple[Reading, ...]] = (ANGLE,)
    limits: ClassVar[str] = "angle"

    lower: float | None = parameter(
        -math.pi / 2, title="Lower limit", quantity="angle", meaning="Least angle; empty for none."
    )
    upper: float | None = parameter(
        math.pi / 2, title="Upper limit", quantity="angle", meaning="Largest angle; empty for none."
    )
    stiffness: float = parameter(
        1e6, title="Stiffness", quantity="torsional_stiffness", gt=0.0, meaning="Moment per penetrated angle."
    )
    restitution_speed: float = parameter(
        0.0, title="Speed of the restitution", quantity="angular_velocity", ge=0.0, advanced=True,
        meaning="Approach speed for which the restitution holds; zero for the speed of each touch.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one that the markers are beyond, and that loses energy."""
        words = {"lower": 2.0, "upper": None, "stiffness": 3.0, "restitution": 0.6, "restitution_speed": 2.0}
        return {**super().example(), **words}

    @property
    def touch_speed(self) -> float:
        """The approach speed for which the restitution holds; zero for that of each touch."""
        return self.restitution_speed

    def first_angles(self) -> np.ndarray:
        """Return (2,) no touch yet, and an angle near which the start is taken, the middle of the limits."""
        known = [limit for limit in (self.lower, self.upper) if limit is not None]
        return np.array([0.0, sum(known) / 2.0 if len(known) == 2 else 0.0])

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (2,) the speed with which the present touch began, and the continuous angle."""
        i, j = markers
        return np.array([self.speed_of_touch(i, j, last), self.measured(i, j, last)[0]])

    def measured(
        self, i: MarkerMotion, j: MarkerMotion, angles: np.ndarray
    ) -> tuple[float, float, np.ndarray, np.ndarray]:
        """Return the continuous angle, its rate, and the unit moment (3,) that raises it."""
        axis = angle_row_about_z(i, j)[0, 9:]
        angle = unwrapped(angle_about_z(i, j), float(angles[1]))
        return angle, float((j.spin - i.spin) @ axis), np.zeros(3), axis

    def read(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> tuple[float, ...]:
        """Return the continuous angle."""
        i, j = markers
        return (self.measured(i, j, angles)[0],)
