"""The trilinear hexahedron with incompatible modes (C3D8I)."""

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.elements._hexahedron import (
    Hexahedron8,
    condensed,
    incompatible_gradients,
    incompatible_strains,
)
from faying.fem.model import Material, Section
from faying.fem.point_strains import PointStrains
from faying.fem.solid_element import elastic_stiffness


@element_kinds.register("hex8_incompatible")
class Hex8Incompatible(Hexahedron8):
    """Nine internal displacement modes 1 - ξ², 1 - η², 1 - ζ² let it bend without shear locking.

    Taylor, Beresford and Wilson (1976): the modes' gradients are mapped with the Jacobian at the centre, so that their
    mean vanishes and every element passes the patch test. Abaqus's C3D8I has four more modes against volumetric
    locking.
    """

    labels = ("C3D8I",)

    @classmethod
    def stiffness(
        cls,
        coordinates: np.ndarray,
        material: Material,
        section: Section | None = None,
        directions: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return (n, 24, 24) stiffness matrices with the nine internal modes condensed out."""
        gradients, modes, volumes = incompatible_gradients(coordinates, cls.stiffness_rule)
        both = np.concatenate([gradients, modes], axis=2)
        return condensed(elastic_stiffness(both, volumes, material, directions), 24)

    @classmethod
    def strains(
        cls, coordinates: np.ndarray, material: Material, directions: np.ndarray | None = None
    ) -> PointStrains:
        """Return the evaluator of strains at the points of `stress_rule`, with those of the internal modes."""
        return incompatible_strains(coordinates, material, directions, cls.stress_rule)
