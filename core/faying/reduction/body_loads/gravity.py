"""The weight of the body, or a uniform acceleration."""

from typing import ClassVar

import numpy as np

from faying.fem.assembly import rigid_body_modes
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.params import parameter
from faying.reduction.body_loads import BodyLoad, LoadArrow, LoadedBody, body_loads

Vector = tuple[float, float, float]


@body_loads.register("gravity")
class GravityLoad(BodyLoad):
    """A force per mass; for an accelerated support it is opposite to the acceleration."""

    title: ClassVar[str] = "Gravity"
    not_in_motion: ClassVar[str] = "a system has its own gravity, which acts on all its parts"

    acceleration: Vector = parameter(
        (0.0, 0.0, 0.0), title="Gravity", quantity="acceleration",
        meaning="Force per mass along x, y, z: 9.81 m/s² downwards for the weight.",
    )  # fmt: skip

    def acts_on_mass(self, model: FeModel) -> bool:
        """True."""
        return True

    def arrows(self, model: FeModel, skin: Skin | None) -> list[LoadArrow]:
        """Return an arrow at the node in the middle of the body."""
        middle = np.argmin(np.linalg.norm(model.nodes - model.nodes.mean(axis=0), axis=1))
        return [LoadArrow(int(middle), np.array(self.acceleration))]

    def forces(self, on: LoadedBody) -> np.ndarray:
        """Return (n_dofs,) the mass matrix, also an imported one, times the acceleration."""
        matrices = on.matrices
        motion = rigid_body_modes(on.model.nodes, matrices.dofs)[:, :3] @ np.array(self.acceleration)
        return np.asarray(matrices.mass @ motion)
