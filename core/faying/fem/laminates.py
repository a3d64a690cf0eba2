"""Laminates: the stiffness of layered shells from those of their plies (classical lamination, with transverse shear).

Forces and moments per length follow from the strains ε and curvatures κ of the middle: N = A ε + B κ, M = B ε + D κ
(R. M. Jones 1999, section 4.2). Transverse shear forces are Q = H γ. H is found by energy (K. Rohwer 1988; Rolfes and
Rohwer 1997): two cylindrical bendings by M11,1 = Q1 and M22,2 = Q2 give, by equilibrium of each ply, the shear stresses
τ(z) = F(z) Q, and H⁻¹ = ∫ Fᵀ G⁻¹ F dz. For a single ply this gives the shear factor 5/6; no factor has to be chosen.
"""

from dataclasses import dataclass, replace

import numpy as np

from faying.fem.elasticity import material_expansion, plane_stress_stiffness
from faying.fem.model import Material, Ply, ShellSection


@dataclass(frozen=True)
class LaminateStiffness:
    """Section stiffness of a shell, per length, about the middle of its thickness; components 11, 22, 12 and 13, 23.

    Attributes:
        membrane: (3, 3) A.
        coupling: (3, 3) B.
        bending: (3, 3) D.
        shear: (2, 2) H.
    """

    membrane: np.ndarray
    coupling: np.ndarray
    bending: np.ndarray
    shear: np.ndarray

    @property
    def numbers(self) -> tuple[float, ...]:
        """All entries in the order of `ShellSection.stiffness`."""
        parts = (self.membrane, self.coupling, self.bending, self.shear)
        return tuple(float(value) for part in parts for value in part.ravel())


def section_stiffness(section: ShellSection) -> LaminateStiffness | None:
    """Return the stiffness of a shell with plies or a given section stiffness; None for a single layer of material."""
    if section.stiffness:
        numbers = np.array(section.stiffness)
        membrane, coupling, bending = numbers[:27].reshape(3, 3, 3)
        return LaminateStiffness(membrane, coupling, bending, numbers[27:].reshape(2, 2))
    return laminate_stiffness(section.plies) if section.plies else None


def plies_of(section: ShellSection, material: Material) -> tuple[Ply, ...]:
    """Return the plies of a shell; a single ply of its material if the section has none."""
    return section.plies or (Ply(material, section.thickness, 0.0),)


def ply_heights(plies: tuple[Ply, ...]) -> np.ndarray:
    """Return (n + 1,) heights of the ply boundaries above the middle, ascending."""
    borders = np.cumsum([0.0, *(ply.thickness for ply in plies)])
    return np.asarray(borders - 0.5 * borders[-1])


def turned_plane_stiffness(ply: Ply) -> tuple[np.ndarray, np.ndarray]:
    """Return (3, 3) in-plane and (2, 2) transverse shear stiffness of a ply in the shell's axes."""
    plane, shear = plane_stress_stiffness(ply.material)
    turn, c, s = strain_turn(ply.angle), np.cos(ply.angle), np.sin(ply.angle)
    across = np.array([[c, s], [-s, c]])  # of strains 13 and 23
    return turn.T @ plane @ turn, across.T @ shear @ across


def strain_turn(angle: float) -> np.ndarray:
    """Return (3, 3) T of ε' = T ε for strains 11, 22, 2·12, to axes turned by an angle (rad) about the normal."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array(
        [[c * c, s * s, c * s], [s * s, c * c, -c * s], [-2.0 * c * s, 2.0 * c * s, c * c - s * s]]
    )


def laminate_stiffness(plies: tuple[Ply, ...]) -> LaminateStiffness:
    """Return the stiffness of a laminate."""
    heights = ply_heights(plies)
    of_plies = [turned_plane_stiffness(ply) for ply in plies]
    membrane, coupling, bending = (
        sum(
            plane * ((upper**power - lower**power) / power)
            for (plane, _), lower, upper in zip(of_plies, heights, heights[1:], strict=False)
        )
        for power in (1, 2, 3)
    )
    A, B, D = np.asarray(membrane), np.asarray(coupling), np.asarray(bending)
    # With constant normal forces, strains are -A⁻¹ B times curvatures, and curvatures D*⁻¹ times moments.
    to_middle = np.linalg.solve(A, B)
    inverse = np.linalg.inv(D - B @ to_middle)
    passed, flexibility = np.zeros((2, 2)), np.zeros((2, 2))
    points, weights = np.polynomial.legendre.leggauss(3)  # exact for the fourth power of z
    for (plane, shear), lower, upper in zip(of_plies, heights, heights[1:], strict=False):
        for point, weight in zip(points, weights, strict=True):
            z = 0.5 * (lower + upper) + 0.5 * (upper - lower) * point
            F = passed + _shear_stresses(plane, to_middle, inverse, lower, z)
            flexibility += 0.5 * (upper - lower) * weight * F.T @ np.linalg.solve(shear, F)
        passed = passed + _shear_stresses(plane, to_middle, inverse, lower, upper)
    return LaminateStiffness(A, B, D, np.linalg.inv(flexibility))


def _shear_stresses(
    plane: np.ndarray, to_middle: np.ndarray, inverse: np.ndarray, lower: float, upper: float
) -> np.ndarray:
    """Return (2, 2) changes of the shear stresses 13, 23 between two heights of a ply, for unit shear forces."""
    grown = plane @ (0.5 * (upper**2 - lower**2) * np.eye(3) - (upper - lower) * to_middle) @ inverse
    # τ13,3 = -(σ11,1 + σ12,2), τ23,3 = -(σ12,1 + σ22,2), with moments M11,1 = Q1 and M22,2 = Q2.
    return -np.array([[grown[0, 0], grown[2, 1]], [grown[2, 0], grown[1, 1]]])


def three_point_weights(
    zeroth: np.ndarray, first: np.ndarray, second: np.ndarray, thickness: float
) -> np.ndarray:
    """Return weights (3, …) at t = -1, 0, 1 over the thickness that reproduce the moments of a distribution.

    The integrals of f, f z and f z² over the thickness are ½ h Σ w, ½ h Σ w z and ½ h Σ w z² with z = ½ h t.
    """
    h = thickness
    outer, inner = 8.0 * second / h**3, 4.0 * first / h**2
    return np.stack([0.5 * (outer - inner), 2.0 * zeroth / h - outer, 0.5 * (outer + inner)])


def density_moments(plies: tuple[Ply, ...]) -> tuple[float, float, float]:
    """Return the mass per area and its first and second moments about the middle."""
    heights = ply_heights(plies)
    found = [
        sum(
            ply.material.density * (upper**power - lower**power) / power
            for ply, lower, upper in zip(plies, heights, heights[1:], strict=False)
        )
        for power in (1, 2, 3)
    ]
    return float(found[0]), float(found[1]), float(found[2])


def held_stresses(plies: tuple[Ply, ...]) -> list[np.ndarray]:
    """Return (3,) forces 11, 22, 12 per length and kelvin that restrain thermal expansion, and their first two moments.

    They are the integrals of the plies' stresses, of stress times z and times z², about the middle.
    """
    heights = ply_heights(plies)
    stresses = []
    for ply in plies:
        growth = material_expansion(ply.material)[[0, 1, 3]]
        stresses.append(strain_turn(ply.angle).T @ plane_stress_stiffness(ply.material)[0] @ growth)
    return [
        np.asarray(
            sum(
                stress * ((upper**power - lower**power) / power)
                for stress, lower, upper in zip(stresses, heights, heights[1:], strict=False)
            )
        )
        for power in (1, 2, 3)
    ]


def laminate_material(name: str, plies: tuple[Ply, ...]) -> Material:
    """Return a single material that represents the plies, with means over the thickness, and its name.

    It has a coefficient of expansion if all plies have one.
    """
    thickness = sum(ply.thickness for ply in plies)

    def mean(attribute: str) -> float:
        return float(sum(ply.thickness * getattr(ply.material, attribute) for ply in plies) / thickness)

    grows = all(ply.material.expansion is not None for ply in plies)
    expansion = mean("expansion") if grows else None
    return Material(
        name, mean("youngs_modulus"), mean("poisson_ratio"), mean("density"), expansion, kind="laminate"
    )


def with_ply_materials(section: ShellSection, materials: dict[str, Material]) -> ShellSection:
    """Return the section with the plies' materials replaced by these names."""
    plies = tuple(
        replace(ply, material=materials.get(ply.material.name, ply.material)) for ply in section.plies
    )
    return replace(section, plies=plies, stiffness=())
