"""The three-node Timoshenko beam (B32)."""

import numpy as np

from faying.fem.element_shape import ElementShapeError
from faying.fem.elements import ElementKind, element_kinds
from faying.fem.elements._beam import beam_axes, checked_section, section_mass, section_stiffness
from faying.fem.model import BeamSection, Material, Section
from faying.fem.quadrature import gauss_line


@element_kinds.register("beam3")
class Beam3(ElementKind):
    """Quadratic, possibly curved beam with shear deformation; two points for stiffness, three for mass.

    Node 2 is the middle node, as in Abaqus. Two points avoid shear and membrane locking and preserve the rank.
    CalculiX's reduced B32R is read as this element.
    """

    labels = ("B32", "B32R")
    n_nodes = 3
    vtk_type = 21
    vtk_order = (0, 2, 1)
    rotations = True

    @classmethod
    def stiffness(
        cls,
        coordinates: np.ndarray,
        material: Material,
        section: Section | None,
        directions: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return (n, 18, 18) stiffness matrices."""
        section = checked_section(section)
        properties = section_stiffness(material, section)
        rule = gauss_line(2)
        total = np.zeros((len(coordinates), 18, 18))
        for xi, weight in zip(rule.points[:, 0], rule.weights, strict=True):
            shapes, slopes, axes, lengths = _at(float(xi), coordinates, section)
            t, n1, n2 = axes[:, 0], axes[:, 1], axes[:, 2]
            strains = np.zeros((len(coordinates), 6, 3, 6))
            for a in range(3):
                slope = slopes[:, a, None]
                # Axial strain t·u', shear strains n·(u' - θ × t), then twist and curvatures.
                strains[:, 0, a, :3] = slope * t
                strains[:, 1, a, :3], strains[:, 1, a, 3:] = slope * n1, -shapes[a] * n2
                strains[:, 2, a, :3], strains[:, 2, a, 3:] = slope * n2, shapes[a] * n1
                strains[:, 3:, a, 3:] = slope[:, None] * axes
            flat = strains.reshape(-1, 6, 18)
            total += (weight * lengths)[:, None, None] * (
                flat.transpose(0, 2, 1) @ (properties[:, None] * flat)
            )
        return 0.5 * (total + total.transpose(0, 2, 1))

    @classmethod
    def mass(cls, coordinates: np.ndarray, material: Material, section: Section | None) -> np.ndarray:
        """Return (n, 18, 18) consistent mass matrices with rotary inertia."""
        section = checked_section(section)
        inertia = section_mass(material, section)
        rule = gauss_line(3)
        total = np.zeros((len(coordinates), 3, 6, 3, 6))
        for xi, weight in zip(rule.points[:, 0], rule.weights, strict=True):
            shapes, _, axes, lengths = _at(float(xi), coordinates, section)
            pairs = np.outer(shapes, shapes)
            rotary = np.einsum("nij,i,nik->njk", axes, inertia[3:], axes)
            scale = weight * lengths
            for i in range(3):
                total[:, :, i, :, i] += inertia[0] * scale[:, None, None] * pairs
            total[:, :, 3:, :, 3:] += np.einsum("n,ab,njk->najbk", scale, pairs, rotary)
        flat = total.reshape(-1, 18, 18)
        return 0.5 * (flat + flat.transpose(0, 2, 1))


def _at(
    xi: float, coordinates: np.ndarray, section: BeamSection
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return at ξ: shapes (3,), their derivatives along the beam (n, 3), axes (n, 3, 3), lengths (n,) per ξ."""
    shapes = np.array([xi * (xi - 1.0) / 2.0, 1.0 - xi**2, xi * (xi + 1.0) / 2.0])
    derivatives = np.array([xi - 0.5, -2.0 * xi, xi + 0.5])
    tangents = np.einsum("a,nai->ni", derivatives, coordinates)
    lengths = np.linalg.norm(tangents, axis=1)
    chords = coordinates[:, 2] - coordinates[:, 0]
    folded = np.flatnonzero(~(np.einsum("ni,ni->n", tangents, chords) > 0.0))
    if len(folded):
        raise ElementShapeError(int(folded[0]), "has no length or its middle node lies outside its ends")
    return shapes, derivatives / lengths[:, None], beam_axes(tangents / lengths[:, None], section), lengths
