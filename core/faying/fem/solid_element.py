"""Base of solid elements: gradients, integrated stiffness and mass."""

from typing import ClassVar

import numpy as np

from faying.fem import kernels
from faying.fem.elasticity import global_stiffness, is_isotropic, lame_constants
from faying.fem.element_shape import ElementShapeError
from faying.fem.elements import ElementKind
from faying.fem.model import Material, Section
from faying.fem.point_strains import PointStrains
from faying.fem.polynomials import NodalPolynomials
from faying.fem.quadrature import QuadratureRule


class SolidElement(ElementKind):
    """A solid element with one interpolation and separate quadrature rules for stiffness and mass.

    Attributes:
        stress_rule: rule whose points are the stress points.
    """

    polynomials: ClassVar[NodalPolynomials]
    stiffness_rule: ClassVar[QuadratureRule]
    mass_rule: ClassVar[QuadratureRule]
    stress_rule: ClassVar[QuadratureRule]

    @classmethod
    def stiffness(
        cls,
        coordinates: np.ndarray,
        material: Material,
        section: Section | None = None,
        directions: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return (n, 3k, 3k) stiffness matrices, fully integrated with the element's rule."""
        gradients, volumes = gradients_and_volumes(cls, coordinates, cls.stiffness_rule)
        return elastic_stiffness(gradients, volumes, material, directions)

    @classmethod
    def mass(cls, coordinates: np.ndarray, material: Material, section: Section | None = None) -> np.ndarray:
        """Return (n, k, k) consistent scalar nodal mass matrices."""
        rule = cls.mass_rule
        values = cls.polynomials.values(rule.points)
        _, determinants = jacobians(cls, coordinates, rule.points)
        products = (rule.weights[:, None, None] * values[:, :, None] * values[:, None, :]).reshape(
            len(rule.weights), -1
        )
        k = values.shape[1]
        mass: np.ndarray = material.density * (determinants @ products).reshape(-1, k, k)
        return mass

    @classmethod
    def strains(
        cls, coordinates: np.ndarray, material: Material, directions: np.ndarray | None = None
    ) -> PointStrains:
        """Return the evaluator of strains at the points of `stress_rule`, in global axes.

        Args:
            coordinates: (n, k, 3).
            material: of all n elements, and `directions` (n, 3, 3) its axes; internal modes depend on them.
        """
        return PointStrains(gradients_and_volumes(cls, coordinates, cls.stress_rule)[0])


def jacobians(
    kind: type[SolidElement], coordinates: np.ndarray, points: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, q, 3, 3) Jacobians ∂x_i/∂ξ_j and (n, q) determinants at local points (q, 3).

    Raises:
        ElementShapeError: for the first element whose determinant is not positive at every point.
    """
    derivatives = kind.polynomials.derivatives(points)
    n, (q, k, _) = len(coordinates), derivatives.shape
    table = derivatives.transpose(1, 0, 2).reshape(k, q * 3)
    jacobian = (coordinates.transpose(0, 2, 1) @ table).reshape(n, 3, q, 3).transpose(0, 2, 1, 3)
    a, b, c = jacobian[..., 0], jacobian[..., 1], jacobian[..., 2]
    determinants = np.einsum("nqi,nqi->nq", a, np.cross(b, c))
    bad = np.flatnonzero(~(determinants.min(axis=1) > 0.0))
    if len(bad):
        raise ElementShapeError(
            int(bad[0]), "is turned inside out or has no volume (its Jacobian is not positive)"
        )
    return jacobian, determinants


def gradients_and_volumes(
    kind: type[SolidElement], coordinates: np.ndarray, rule: QuadratureRule
) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, q, k, 3) gradients of the shape functions and (n, q) volumes of the points."""
    jacobian, determinants = jacobians(kind, coordinates, rule.points)
    inverse = inverse_3x3(jacobian, determinants)
    gradients = kind.polynomials.derivatives(rule.points)[None] @ inverse
    return gradients, determinants * rule.weights


def inverse_3x3(matrices: np.ndarray, determinants: np.ndarray) -> np.ndarray:
    """Return the inverses of (…, 3, 3) matrices with known determinants, by cofactors."""
    a, b, c = matrices[..., 0], matrices[..., 1], matrices[..., 2]
    cofactors = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=-2)
    inverses: np.ndarray = cofactors / determinants[..., None, None]
    return inverses


def elastic_stiffness(
    gradients: np.ndarray, volumes: np.ndarray, material: Material, directions: np.ndarray | None
) -> np.ndarray:
    """Return (n, 3k, 3k) stiffness matrices of displacement fields.

    Args:
        gradients: (n, q, k, 3) of k functions, each moving in three directions.
        volumes: (n, q) of the points.
        material: of all n elements.
        directions: (n, 3, 3) its axes in each element, as rows; None for the global axes.
    """
    if is_isotropic(material):
        return isotropic_stiffness(gradients, volumes, *lame_constants(material))
    return stiffness_of_rows(strain_rows(gradients), volumes, global_stiffness(material, directions))


def strain_rows(gradients: np.ndarray) -> np.ndarray:
    """Return (n, q, 6, 3k) strains xx, yy, zz, xy, yz, zx of unit displacements, from gradients (n, q, k, 3)."""
    n, q, k, _ = gradients.shape
    rows = np.zeros((n, q, 6, k, 3))
    for i in range(3):
        j = (i + 1) % 3
        rows[:, :, i, :, i] = gradients[..., i]
        rows[:, :, 3 + i, :, i], rows[:, :, 3 + i, :, j] = gradients[..., j], gradients[..., i]
    return rows.reshape(n, q, 6, 3 * k)


def stiffness_of_rows(rows: np.ndarray, volumes: np.ndarray, elasticity: np.ndarray) -> np.ndarray:
    """Return (n, d, d) integrals of Bᵀ D B, made symmetric to round-off.

    Args:
        rows: (n, q, 6, d) B.
        volumes: (n, q) of the points.
        elasticity: (6, 6) or (n, 6, 6) D.
    """
    n, q, _, d = rows.shape
    stresses = (elasticity if elasticity.ndim == 2 else elasticity[:, None]) @ rows
    stresses *= volumes[:, :, None, None]
    stiffness = rows.reshape(n, 6 * q, d).transpose(0, 2, 1) @ stresses.reshape(n, 6 * q, d)
    return np.asarray(0.5 * (stiffness + stiffness.transpose(0, 2, 1)))


def isotropic_stiffness(gradients: np.ndarray, volumes: np.ndarray, lam: float, mu: float) -> np.ndarray:
    """Return (n, 3k, 3k) integrals of λ tr ε tr δε + 2μ ε : δε over the given gradients.

    With g_a the gradient of function a, the block of functions a and b is
    λ g_a g_bᵀ + μ g_b g_aᵀ + μ (g_a · g_b) I (Zienkiewicz and Taylor).

    Args:
        gradients: (n, q, k, 3) of k functions, each moving in three directions.
        volumes: (n, q) of the points.
        lam, mu: Lamé's constants; lam may be negative if another term adds volumetric stiffness.
    """
    return kernels.isotropic_stiffness(gradients, volumes, lam, mu)
