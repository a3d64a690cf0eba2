"""A constant velocity joint."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from faying.multibody.constraints import Constraint, constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations
from faying.params import parameter
from faying.spatial.rotations import cross


@constraints.register("constant_velocity")
class ConstantVelocity(Constraint):
    """The markers stay at one place, and shafts along their z axes turn with the same speed at any angle between them.

    Neither marker turns against the other about the line that bisects both axes: x_i · y_j − y_i · x_j = 0. Both z axes
    point the same way where the shafts are in one line.
    """

    title: ClassVar[str] = "Constant velocity joint"

    first: str = parameter(title="First marker", choices="marker", meaning="On one shaft; z is its axis.")
    second: str = parameter(title="Second marker", choices="marker", meaning="On the other shaft, likewise.")

    def marker_names(self) -> tuple[str, ...]:
        """Return both markers."""
        return self.first, self.second

    def equations(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> Equations:
        """Return the places' differences along the first marker's axes, and the rotation about the bisector."""
        i, j = markers
        between, rows = j.position - i.position, np.zeros((4, 12))
        for k, axis in enumerate(i.axes.T):
            rows[k] = np.concatenate([-axis, cross(axis, between), axis, np.zeros(3)])
        (x, y, _), (a, b, _) = i.axes.T, j.axes.T
        turning = cross(x, b) - cross(y, a)
        rows[3, 3:6], rows[3, 9:] = turning, -turning
        values = np.append(i.axes.T @ between, x @ b - y @ a)
        words = *(f"displacement along {axis}" for axis in "xyz"), "rotation about the bisector"
        return Equations(values, rows, words)
