"""A torsion spring and damper."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from faying.multibody.forces import PairForce, forces
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import angle_about_z, angle_row_about_z, unwrapped
from faying.params import parameter


@forces.register("torsion_spring")
class TorsionSpring(PairForce):
    """A spring and a damper about the first marker's z axis.

    The start is taken within half a turn of the free angle; from there on full turns count.
    """

    title: ClassVar[str] = "Torsion spring and damper"

    stiffness: float = parameter(
        1.0, title="Stiffness", quantity="torsional_stiffness", ge=0.0, meaning="Moment per angle."
    )
    damping: float = parameter(
        0.0, title="Damping", quantity="torsional_damping", ge=0.0, meaning="Moment per angular speed."
    )
    free_angle: float = parameter(
        0.0, title="Free angle", quantity="angle", meaning="Angle at which the spring is unloaded; the start is within "
        "half a turn of it, and from there on full turns count.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one with spring, damper and free angle."""
        return {
            **super().example(),
            "stiffness": 3.0,
            "damping": 0.7,
            "free_angle": 0.1,
        }

    def first_angles(self) -> np.ndarray:
        """Return (1,) the free angle."""
        return np.array([self.free_angle])

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (1,) the continuous angle."""
        i, j = markers
        return np.array([self.free_angle + self._twist(i, j, last)])

    def on_second(
        self, i: MarkerMotion, j: MarkerMotion, time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return force (3,) and moment (3,): none, and back to the free angle about the axis of the angle."""
        rows = angle_row_about_z(i, j)
        axis = rows[0, 9:]  # z, as long as the z axes are parallel
        rate = float((j.spin - i.spin) @ axis)
        return np.zeros(3), -(self.stiffness * self._twist(i, j, angles) + self.damping * rate) * axis

    def potential(self, markers: Sequence[MarkerMotion], angles: np.ndarray) -> float:
        """Return k φ²/2."""
        i, j = markers
        return 0.5 * self.stiffness * self._twist(i, j, angles) ** 2

    def _twist(self, i: MarkerMotion, j: MarkerMotion, last: np.ndarray) -> float:
        return unwrapped(angle_about_z(i, j), float(last[0])) - self.free_angle
