"""The trilinear hexahedron with mean dilatation (C3D8)."""

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.elements._hexahedron import Hexahedron8
from faying.fem.model import Material, Section
from faying.fem.point_strains import MeanDilatationStrains, PointStrains
from faying.fem.solid_element import gradients_and_volumes, isotropic_stiffness, lame_constants


@element_kinds.register("hex8")
class Hex8(Hexahedron8):
    """B-bar element, as C3D8 is in Abaqus and CalculiX: the volume change is the element's mean.

    It does not lock when nearly incompressible (Nagtegaal, Parks and Rice 1974; Hughes 1980); in bending it
    is still too stiff, where `hex8_incompatible` is right.
    """

    labels = ("C3D8",)

    @classmethod
    def stiffness(
        cls, coordinates: np.ndarray, material: Material, section: Section | None = None
    ) -> np.ndarray:
        """Return (n, 24, 24) stiffness matrices: the deviatoric part at the points, the volumetric part mean."""
        lam, mu = lame_constants(material)
        gradients, volumes = gradients_and_volumes(cls, coordinates, cls.stiffness_rule)
        # λ = -2μ/3 leaves 2μ dev ε : dev δε.
        stiffness = isotropic_stiffness(gradients, volumes, -2.0 * mu / 3.0, mu)
        volume = volumes.sum(axis=1)
        mean = np.einsum("nq,nqai->nai", volumes, gradients).reshape(len(coordinates), -1)
        bulk = lam + 2.0 * mu / 3.0
        stiffness += (bulk / volume)[:, None, None] * mean[:, :, None] * mean[:, None, :]
        return stiffness

    @classmethod
    def strains(cls, coordinates: np.ndarray, material: Material) -> PointStrains:
        """Return the evaluator of strains at the points of `stress_rule`, with the mean volume change."""
        return MeanDilatationStrains(*gradients_and_volumes(cls, coordinates, cls.stress_rule))
