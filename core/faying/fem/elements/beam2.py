"""The two-node Timoshenko beam (B31), exact at its nodes."""

import numpy as np

from faying.fem.element_shape import ElementShapeError
from faying.fem.elements import ElementKind, element_kinds
from faying.fem.elements._beam import beam_axes, checked_section, section_mass, section_stiffness
from faying.fem.model import BeamSection, Material, Section
from faying.fem.quadrature import gauss_line


@element_kinds.register("beam2")
class Beam2(ElementKind):
    """Straight beam with shear deformation, exact for loads at its nodes.

    Abaqus's B31 interpolates linearly and integrates at one point, so that accurate bending needs several elements per
    beam; this element has the exact stiffness (Przemieniecki 1968, section 5.6) and the consistent mass of the same
    cubic shape functions. Both converge to the same solution with mesh refinement.
    """

    labels = ("B31", "B31R")
    n_nodes = 2
    vtk_type = 3
    vtk_order = (0, 1)
    rotations = True

    @classmethod
    def stiffness(
        cls,
        coordinates: np.ndarray,
        material: Material,
        section: Section | None,
        directions: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return (n, 12, 12) stiffness matrices."""
        section = checked_section(section)
        axes, lengths = _straight_axes(coordinates, section)
        properties = section_stiffness(material, section)
        rule = gauss_line(2)
        local = np.zeros((len(lengths), 12, 12))
        for x, weight in zip((rule.points[:, 0] + 1.0) / 2.0, rule.weights / 2.0, strict=True):
            _, strains = _motions_and_strains(x, lengths, properties)
            local += (weight * lengths)[:, None, None] * (
                strains.transpose(0, 2, 1) @ (properties[:, None] * strains)
            )
        return _to_global(local, axes)

    @classmethod
    def mass(cls, coordinates: np.ndarray, material: Material, section: Section | None) -> np.ndarray:
        """Return (n, 12, 12) consistent mass matrices with rotary inertia."""
        section = checked_section(section)
        axes, lengths = _straight_axes(coordinates, section)
        properties, inertia = section_stiffness(material, section), section_mass(material, section)
        rule = gauss_line(4)
        local = np.zeros((len(lengths), 12, 12))
        for x, weight in zip((rule.points[:, 0] + 1.0) / 2.0, rule.weights / 2.0, strict=True):
            motions, _ = _motions_and_strains(x, lengths, properties)
            local += (weight * lengths)[:, None, None] * (
                motions.transpose(0, 2, 1) @ (inertia[:, None] * motions)
            )
        return _to_global(local, axes)


def _straight_axes(coordinates: np.ndarray, section: BeamSection) -> tuple[np.ndarray, np.ndarray]:
    chords = coordinates[:, 1] - coordinates[:, 0]
    lengths = np.linalg.norm(chords, axis=1)
    short = np.flatnonzero(~(lengths > 0.0))
    if len(short):
        raise ElementShapeError(int(short[0]), "has no length")
    return beam_axes(chords / lengths[:, None], section), lengths


def _motions_and_strains(
    x: float, lengths: np.ndarray, properties: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, 6, 12) local motions and strains at x in [0, 1] over the local dofs of both nodes."""
    motions, strains = np.zeros((len(lengths), 6, 12)), np.zeros((len(lengths), 6, 12))
    # Extension and torsion: linear.
    for component in (0, 3):
        motions[:, component, component], motions[:, component, component + 6] = 1.0 - x, x
        strains[:, component, component], strains[:, component, component + 6] = -1.0 / lengths, 1.0 / lengths
    # Bending: deflection w and rotation ψ of the plane t-n1 are (u1, θ2), of t-n2 (u2, -θ1).
    for deflection, rotation, sign in ((1, 5, 1.0), (2, 4, -1.0)):
        shear_flexibility = 12.0 * properties[rotation] / (properties[deflection] * lengths**2)
        w, psi, slope, curvature = _plane_shapes(x, lengths, shear_flexibility)
        columns = [deflection, rotation, deflection + 6, rotation + 6]
        signs = np.array([1.0, sign, 1.0, sign])
        motions[:, deflection, columns] = w * signs
        motions[:, rotation, columns] = sign * psi * signs
        strains[:, deflection, columns] = (slope - psi) * signs
        strains[:, rotation, columns] = sign * curvature * signs
    return motions, strains


def _plane_shapes(
    x: float, lengths: np.ndarray, phi: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return w, ψ, dw/ds, dψ/ds, each (n, 4) over (w1, ψ1, w2, ψ2); φ = 12 EI / (κGA L²)."""
    L, s = lengths, 1.0 / (1.0 + phi)
    w = [
        s * (1 - 3 * x**2 + 2 * x**3 + phi * (1 - x)),
        s * L * (x - 2 * x**2 + x**3 + phi / 2 * (x - x**2)),
        s * (3 * x**2 - 2 * x**3 + phi * x),
        s * L * (-(x**2) + x**3 - phi / 2 * (x - x**2)),
    ]
    slope = [
        s / L * (-6 * x + 6 * x**2 - phi),
        s * (1 - 4 * x + 3 * x**2 + phi / 2 * (1 - 2 * x)),
        s / L * (6 * x - 6 * x**2 + phi),
        s * (-2 * x + 3 * x**2 - phi / 2 * (1 - 2 * x)),
    ]
    psi = [
        s / L * 6 * (-x + x**2),
        s * (1 - 4 * x + 3 * x**2 + phi * (1 - x)),
        s / L * 6 * (x - x**2),
        s * (-2 * x + 3 * x**2 + phi * x),
    ]
    curvature = [
        s / L**2 * 6 * (-1 + 2 * x),
        s / L * (-4 + 6 * x - phi),
        s / L**2 * 6 * (1 - 2 * x),
        s / L * (-2 + 6 * x + phi),
    ]
    w_shapes, psi_shapes, slopes, curvatures = (np.stack(v, axis=-1) for v in (w, psi, slope, curvature))
    return w_shapes, psi_shapes, slopes, curvatures


def _to_global(local: np.ndarray, axes: np.ndarray) -> np.ndarray:
    n = len(local)
    blocks = local.reshape(n, 4, 3, 4, 3)
    turned = np.einsum("npi,napbq,nqj->naibj", axes, blocks, axes, optimize=True).reshape(n, 12, 12)
    symmetric: np.ndarray = 0.5 * (turned + turned.transpose(0, 2, 1))
    return symmetric
