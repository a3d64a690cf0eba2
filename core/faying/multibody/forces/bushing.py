"""A rubber bushing."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from faying.multibody.forces import PairForce, forces
from faying.multibody.markers import MarkerMotion
from faying.params import parameter
from faying.spatial.rotations import cross, rotation_vector

Vector = tuple[float, float, float]


@forces.register("bushing")
class Bushing(PairForce):
    """Springs and dampers along and about the first marker's axes, between markers that are close together."""

    kind: ClassVar[str] = "bushing"
    title: ClassVar[str] = "Bushing"

    stiffness: Vector = parameter(
        (1.0, 1.0, 1.0), title="Stiffness", quantity="stiffness", meaning="Force per displacement along x, y, z."
    )  # fmt: skip
    free_displacement: Vector = parameter(
        (0.0, 0.0, 0.0), title="Free displacement", quantity="length",
        meaning="Displacement along x, y, z at which the springs are unloaded.",
    )  # fmt: skip
    torsional_stiffness: Vector = parameter(
        (0.0, 0.0, 0.0), title="Torsional stiffness", quantity="torsional_stiffness",
        meaning="Moment per rotation about x, y, z; for rotations below half a turn.",
    )  # fmt: skip
    damping: Vector = parameter(
        (0.0, 0.0, 0.0), title="Damping", quantity="damping", meaning="Force per speed along x, y, z."
    )
    torsional_damping: Vector = parameter(
        (0.0, 0.0, 0.0), title="Torsional damping", quantity="torsional_damping",
        meaning="Moment per angular speed about x, y, z.",
    )  # fmt: skip

    def on_second(self, i: MarkerMotion, j: MarkerMotion, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return force and moment from displacement, rotation and their rates in the first marker's axes."""
        displacement, rotation = self._deformation(i, j)
        # Rates as seen from the first marker, which may turn itself.
        rate = i.axes.T @ (j.velocity - i.velocity - cross(i.spin, j.position - i.position))
        spin = i.axes.T @ (j.spin - i.spin)
        force = -np.array(self.stiffness) * displacement - np.array(self.damping) * rate
        moment = -np.array(self.torsional_stiffness) * rotation - np.array(self.torsional_damping) * spin
        return i.axes @ force, i.axes @ moment

    def potential(self, markers: Sequence[MarkerMotion]) -> float:
        """Return what the springs store; that of equal torsional springs is exact, of others nearly."""
        displacement, rotation = self._deformation(*markers)
        stored = np.array(self.stiffness) @ displacement**2 + np.array(self.torsional_stiffness) @ rotation**2
        return 0.5 * float(stored)

    def _deformation(self, i: MarkerMotion, j: MarkerMotion) -> tuple[np.ndarray, np.ndarray]:
        displacement = i.axes.T @ (j.position - i.position) - np.array(self.free_displacement)
        return displacement, rotation_vector(i.axes.T @ j.axes)
