"""The one-point hexahedron with physical hourglass stiffness (C3D8R)."""

import numpy as np

from faying.fem import element_topology as topology
from faying.fem.elements import element_kinds
from faying.fem.elements._hexahedron import (
    Hexahedron8,
    centre_jacobian,
    condensed,
    incompatible_strains,
    internal_mode_gradients,
)
from faying.fem.model import Material, Section
from faying.fem.point_strains import PointStrains
from faying.fem.solid_element import elastic_stiffness, gradients_and_volumes


@element_kinds.register("hex8_reduced")
class Hex8Reduced(Hexahedron8):
    """Uniform strain plus a stiffness of the four hourglass modes derived from the material.

    The uniform part and the projection onto hourglass modes follow Flanagan and Belytschko (1981); the hourglass
    stiffness is that of the incompatible element on the parallelepiped of the centre's Jacobian (physical stabilisation
    after Puso 2000), so that no hourglass parameter has to be chosen. On parallelepipeds the element equals
    `hex8_incompatible`; Abaqus's default for C3D8R is a smaller, artificial stiffness.
    """

    labels = ("C3D8R",)

    @classmethod
    def stiffness(
        cls,
        coordinates: np.ndarray,
        material: Material,
        section: Section | None = None,
        directions: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return (n, 24, 24) stiffness matrices."""
        n = len(coordinates)
        points = cls.stiffness_rule.points
        gradients, volumes = gradients_and_volumes(cls, coordinates, cls.stiffness_rule)
        volume = volumes.sum(axis=1)
        # Uniform strain: the mean gradient.
        mean = np.einsum("nq,nqai->nai", volumes, gradients) / volume[:, None, None]
        uniform = elastic_stiffness(mean[:, None], volume[:, None], material, directions)
        # Projection of nodal displacements onto the modes ηζ, ζξ, ξη, ξηζ, orthogonal to linear fields.
        patterns = _patterns(topology.HEXAHEDRON_CORNERS)
        projection = (patterns.T - (patterns.T @ coordinates) @ mean.transpose(0, 2, 1)) / 8.0
        # Hourglass stiffness on the centre's parallelepiped, with the internal modes condensed out.
        inverse, _ = centre_jacobian(coordinates)
        equal = np.repeat(volume[:, None] / len(points), len(points), axis=1)
        hourglass = _pattern_derivatives(points)[None] @ inverse[:, None]
        internal = internal_mode_gradients(inverse, points)
        both = np.concatenate([hourglass, internal], axis=2)
        inner = condensed(elastic_stiffness(both, equal, material, directions), 12).reshape(n, 4, 3, 4, 3)
        added = np.einsum("npa,npiqj,nqb->naibj", projection, inner, projection, optimize=True)
        uniform += added.reshape(n, 24, 24)
        return uniform

    @classmethod
    def strains(
        cls, coordinates: np.ndarray, material: Material, directions: np.ndarray | None = None
    ) -> PointStrains:
        """Return the evaluator of strains at 2 × 2 × 2 points, as in `hex8_incompatible`.

        They are exact for this element on parallelepipeds; Abaqus outputs only the mean, which misses bending.
        """
        return incompatible_strains(coordinates, material, directions, cls.stress_rule)


def _patterns(points: np.ndarray) -> np.ndarray:
    """Return (q, 4) values of ηζ, ζξ, ξη, ξηζ."""
    x, y, z = points.T
    return np.stack([y * z, z * x, x * y, x * y * z], axis=-1)


def _pattern_derivatives(points: np.ndarray) -> np.ndarray:
    """Return (q, 4, 3) derivatives of ηζ, ζξ, ξη, ξηζ."""
    x, y, z = points.T
    zero = np.zeros_like(x)
    rows = [(zero, z, y), (z, zero, x), (y, x, zero), (y * z, z * x, x * y)]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
