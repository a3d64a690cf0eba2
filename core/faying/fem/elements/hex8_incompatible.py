"""The trilinear hexahedron with incompatible modes (C3D8I)."""

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.elements._hexahedron import (
    Hexahedron8,
    centre_jacobian,
    condensed,
    internal_mode_gradients,
)
from faying.fem.elements._solid import gradients_and_volumes, isotropic_stiffness, lame_constants
from faying.fem.model import BeamSection, Material


@element_kinds.register("hex8_incompatible")
class Hex8Incompatible(Hexahedron8):
    """Nine internal displacement modes 1 - ξ², 1 - η², 1 - ζ² let it bend without shear locking.

    Taylor, Beresford and Wilson (1976): the modes' gradients are mapped with the Jacobian of the centre, so
    that they vanish in the mean and every element passes the patch test. Abaqus' C3D8I has four more modes
    against volumetric locking.
    """

    labels = ("C3D8I",)

    @classmethod
    def stiffness(
        cls, coordinates: np.ndarray, material: Material, section: BeamSection | None = None
    ) -> np.ndarray:
        """Return (n, 24, 24) stiffness matrices with the nine internal modes condensed out."""
        gradients, volumes = gradients_and_volumes(cls, coordinates, cls.stiffness_rule)
        inverse, determinants = centre_jacobian(coordinates)
        # Scaled by the Jacobian's ratio, so that their volume integral vanishes on any shape.
        scale = (determinants[:, None] / volumes)[:, :, None, None]
        modes = scale * internal_mode_gradients(inverse, cls.stiffness_rule.points)
        both = np.concatenate([gradients, modes], axis=2)
        return condensed(isotropic_stiffness(both, volumes, *lame_constants(material)), 24)
