"""Base of eight-node hexahedra: node tables, trilinear shape functions, consistent mass."""

from typing import ClassVar

import numpy as np

from faying.fem import element_topology as topology
from faying.fem import kernels
from faying.fem.model import Material
from faying.fem.point_strains import InternalModeStrains
from faying.fem.polynomials import NodalPolynomials
from faying.fem.quadrature import QuadratureRule, gauss_hexahedron
from faying.fem.solid_element import (
    SolidElement,
    elastic_stiffness,
    gradients_and_volumes,
    inverse_3x3,
    jacobians,
)

TRILINEAR = NodalPolynomials(
    [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1), (1, 0, 1), (1, 1, 1)],
    topology.HEXAHEDRON_CORNERS,
    8,
)


class Hexahedron8(SolidElement):
    """Eight-node hexahedron; derived elements differ in their stiffness."""

    n_nodes = 8
    vtk_type = 12
    vtk_order = tuple(range(8))
    faces = topology.HEXAHEDRON_FACES
    facets = ("quad4",) * 6
    polynomials = TRILINEAR
    stiffness_rule: ClassVar[QuadratureRule] = gauss_hexahedron(2)
    mass_rule: ClassVar[QuadratureRule] = gauss_hexahedron(2)
    stress_rule: ClassVar[QuadratureRule] = gauss_hexahedron(2)


def centre_jacobian(coordinates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, 3, 3) inverse Jacobians and (n,) determinants at the centres."""
    jacobian, determinants = jacobians(Hexahedron8, coordinates, np.zeros((1, 3)))
    return inverse_3x3(jacobian, determinants)[:, 0], determinants[:, 0]


def internal_mode_gradients(inverse: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return (n, q, 3, 3) gradients of 1 - ξ², 1 - η², 1 - ζ² under one inverse Jacobian per element."""
    local = -2.0 * points[:, :, None] * np.eye(3)
    gradients: np.ndarray = local[None] @ inverse[:, None]
    return gradients


def incompatible_gradients(
    coordinates: np.ndarray, rule: QuadratureRule
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return gradients of the shape functions (n, q, 8, 3) and of the modes (n, q, 3, 3), and volumes (n, q).

    The gradients of the modes 1 - ξ², 1 - η², 1 - ζ² are scaled by a ratio of Jacobians, so that their volume integral
    vanishes for any shape.
    """
    gradients, volumes = gradients_and_volumes(Hexahedron8, coordinates, rule)
    inverse, determinants = centre_jacobian(coordinates)
    scale = determinants[:, None] / (volumes / rule.weights)
    modes = scale[:, :, None, None] * internal_mode_gradients(inverse, rule.points)
    return gradients, modes, volumes


def incompatible_strains(
    coordinates: np.ndarray, material: Material, directions: np.ndarray | None, rule: QuadratureRule
) -> InternalModeStrains:
    """Return the evaluator of strains of hexahedra with three incompatible modes in each direction."""
    gradients, modes, volumes = incompatible_gradients(coordinates, rule)
    both = np.concatenate([gradients, modes], axis=2)
    stiffness = elastic_stiffness(both, volumes, material, directions)
    response = -np.linalg.solve(stiffness[:, 24:, 24:], stiffness[:, 24:, :24])
    return InternalModeStrains(gradients, modes, response)


def condensed(stiffness: np.ndarray, kept: int) -> np.ndarray:
    """Return (n, kept, kept) stiffness matrices, statically condensed to the first `kept` dofs."""
    return kernels.condensed(stiffness, kept)
