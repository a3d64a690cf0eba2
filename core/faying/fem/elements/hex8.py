"""The trilinear hexahedron with mean dilatation (C3D8)."""

import numpy as np

from faying.fem.elasticity import global_stiffness, is_isotropic, lame_constants
from faying.fem.elements import element_kinds
from faying.fem.elements._hexahedron import Hexahedron8
from faying.fem.model import Material, Section
from faying.fem.point_strains import MeanDilatationStrains, PointStrains
from faying.fem.solid_element import (
    gradients_and_volumes,
    isotropic_stiffness,
    stiffness_of_rows,
    strain_rows,
)


@element_kinds.register("hex8")
class Hex8(Hexahedron8):
    """B-bar element, as Abaqus's C3D8: the volumetric strain is the element's mean.

    It does not lock in nearly incompressible materials (Nagtegaal, Parks and Rice 1974; Hughes 1980) but is too stiff
    in bending, where `hex8_incompatible` is accurate. CalculiX's C3D8 is fully integrated, as `hex8_full`, and stiffer
    in bending by a few per cent.
    """

    labels = ("C3D8",)

    @classmethod
    def stiffness(
        cls,
        coordinates: np.ndarray,
        material: Material,
        section: Section | None = None,
        directions: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return (n, 24, 24) stiffness matrices: the deviatoric part is integrated, the volumetric part is the mean."""
        gradients, volumes = gradients_and_volumes(cls, coordinates, cls.stiffness_rule)
        if not is_isotropic(material):
            rows = _mean_dilatation_rows(gradients, volumes)
            return stiffness_of_rows(rows, volumes, global_stiffness(material, directions))
        lam, mu = lame_constants(material)
        # λ = -2μ/3 leaves 2μ dev ε : dev δε.
        stiffness = isotropic_stiffness(gradients, volumes, -2.0 * mu / 3.0, mu)
        volume = volumes.sum(axis=1)
        mean = np.einsum("nq,nqai->nai", volumes, gradients).reshape(len(coordinates), -1)
        bulk = lam + 2.0 * mu / 3.0
        stiffness += (bulk / volume)[:, None, None] * mean[:, :, None] * mean[:, None, :]
        return stiffness

    @classmethod
    def strains(
        cls, coordinates: np.ndarray, material: Material, directions: np.ndarray | None = None
    ) -> PointStrains:
        """Return the evaluator of strains at the points of `stress_rule`, with the mean volume change."""
        return MeanDilatationStrains(*gradients_and_volumes(cls, coordinates, cls.stress_rule))


def _mean_dilatation_rows(gradients: np.ndarray, volumes: np.ndarray) -> np.ndarray:
    """Return (n, q, 6, 24) strains whose volume change is the element's mean."""
    rows = strain_rows(gradients)
    n, q, k, _ = gradients.shape
    changes = gradients.reshape(n, q, 3 * k)
    mean = np.einsum("nq,nqj->nj", volumes, changes) / volumes.sum(axis=1)[:, None]
    rows[:, :, :3] += ((mean[:, None] - changes) / 3.0)[:, :, None]
    return rows
