"""What force elements with a full stiffness matrix share: deformation in six directions, force, potential."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from faying.multibody.forces import PairForce
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import unwrapped_vector, vector_rates
from faying.params import parameter
from faying.spatial.rotations import cross, rotation_vector


class CoupledForce(PairForce):
    """A linear force between two markers whose six directions are coupled.

    With the displacement u of the second marker along the first one's axes from the free one, and its rotation vector φ
    there, the potential is ½ (u, φ)ᵀ K (u, φ) with K symmetric; force and moment are its derivatives for rotations of
    any size, so that energy is kept.
    """

    proportional_damping: float = parameter(
        0.0, title="Proportional damping", quantity="time", ge=0.0,
        meaning="Damping matrix over the stiffness matrix.",
    )  # fmt: skip

    @abstractmethod
    def stiffness_matrix(self) -> np.ndarray:
        """Return K (6, 6): forces along x, y, z, moments about them, by displacements and rotations."""

    @abstractmethod
    def free_place(self) -> np.ndarray:
        """Return (3,) the place of the second marker along the first one's axes without a force."""

    def first_angles(self) -> np.ndarray:
        """Return (3,) zeros: the rotation vector of the start is less than half a turn long."""
        return np.zeros(3)

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (3,) the continuous rotation vector."""
        i, j = markers
        return self._deformation(i, j, last)[3:]

    def on_second(
        self, i: MarkerMotion, j: MarkerMotion, time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return force (3,) and moment (3,), minus the derivatives of the potential, with their damping."""
        deformation, matrix = self._deformation(i, j, angles), self.stiffness_matrix()
        push = matrix @ deformation
        force, moment = -push[:3], -vector_rates(deformation[3:]).T @ push[3:]
        if self.proportional_damping:
            rates = np.concatenate(
                [
                    i.axes.T @ (j.velocity - i.velocity - cross(i.spin, j.position - i.position)),
                    i.axes.T @ (j.spin - i.spin),
                ]
            )
            drag = self.proportional_damping * matrix @ rates
            force, moment = force - drag[:3], moment - drag[3:]
        return i.axes @ force, i.axes @ moment

    def potential(self, markers: Sequence[MarkerMotion], angles: np.ndarray) -> float:
        """Return what it stores."""
        i, j = markers
        deformation = self._deformation(i, j, angles)
        return float(0.5 * deformation @ self.stiffness_matrix() @ deformation)

    def _deformation(self, i: MarkerMotion, j: MarkerMotion, last: np.ndarray) -> np.ndarray:
        """Return (6,) displacement and continuous rotation vector along the first marker's axes."""
        displacement = i.axes.T @ (j.position - i.position) - self.free_place()
        return np.concatenate([displacement, unwrapped_vector(rotation_vector(i.axes.T @ j.axes), last)])
