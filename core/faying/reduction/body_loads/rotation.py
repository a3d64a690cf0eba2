"""Inertia forces on a body that rotates about an axis with its support."""

from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.fem.inertia_loads import inertia_loads
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.params import parameter
from faying.reduction.body_loads import BodyLoad, LoadArrow, LoadedBody, body_loads

Vector = tuple[float, float, float]


@body_loads.register("rotation")
class CentrifugalLoad(BodyLoad):
    """Centrifugal forces ρ ω² r of the undeformed body, and those of an angular acceleration, −ρ α × r.

    Geometric stiffness and the change of radius by deformation are neglected, so the rotation must be slow compared
    with the body's vibrations.
    """

    title: ClassVar[str] = "Rotation"
    not_in_motion: ClassVar[str] = "a part that turns in a system feels its centrifugal forces by itself"

    axis_point: Vector = parameter(
        (0.0, 0.0, 0.0), title="Point on the axis", quantity="length", meaning="Any point of the axis."
    )
    axis: Vector = parameter((0.0, 0.0, 1.0), title="Axis", meaning="Direction of the axis, of any length.")
    angular_velocity: float = parameter(
        0.0, title="Angular velocity", quantity="angular_velocity",
        meaning="About the axis. A load history is a factor of the forces, which go with its square.",
    )  # fmt: skip
    angular_acceleration: float = parameter(
        0.0, title="Angular acceleration", quantity="angular_acceleration", advanced=True,
        meaning="Of the support about the axis, the right-handed way.",
    )  # fmt: skip

    def acts_on_mass(self, model: FeModel) -> bool:
        """True."""
        return True

    def arrows(self, model: FeModel, skin: Skin | None) -> list[LoadArrow]:
        """Return a rotation arrow at the node nearest to the axis."""
        axis = np.array(self.axis) / (np.linalg.norm(self.axis) or 1.0)
        away = np.linalg.norm(np.cross(axis, model.nodes - np.array(self.axis_point)), axis=1)
        return [LoadArrow(int(np.argmin(away)), axis, turns=True)]

    def forces(self, on: LoadedBody) -> np.ndarray:
        """Return (n_dofs,) the inertia forces at rest in the rotating frame."""
        length = float(np.linalg.norm(self.axis))
        if not length:
            raise ModelError("The axis has no direction.", "Give it a vector such as (0, 0, 1).")
        axis = np.array(self.axis) / length
        arms = on.model.nodes - np.array(self.axis_point)
        outwards = arms - np.outer(arms @ axis, axis)
        accelerations = self.angular_velocity**2 * outwards - self.angular_acceleration * np.cross(axis, arms)
        if not on.imported:
            return inertia_loads(on.model, on.matrices.dofs, accelerations)
        # For an imported mass only the matrix is known, which lumps coupled faces at their reference nodes.
        dofs, full = on.matrices.dofs, np.zeros(on.matrices.dofs.transformation.shape[0])
        full[: accelerations.size] = accelerations.ravel()
        rows = dofs.own_rows
        return np.asarray(on.matrices.mass @ np.where(rows < 0, 0.0, full[rows]))
