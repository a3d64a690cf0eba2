"""Functions for beam elements: local axes and section stiffness.

Local strains and motions are ordered (along t, along n1, along n2; about t, about n1, about n2), with t × n1 = n2 as in
Abaqus. Local axes are the section's principal axes, rotated about t from the given ones.
"""

import numpy as np

from faying.errors import ModelError
from faying.fem.model import BeamSection, Material, Section


def beam_axes(tangents: np.ndarray, section: BeamSection) -> np.ndarray:
    """Return (n, 3, 3): rows t, n1, n2 of each beam, principal axes of its section.

    Args:
        tangents: (n, 3) of length one.
        section: its `direction`, projected perpendicular to t, is n1 before the rotation; for a beam along it any other
            direction is used if the section's second moments are equal.

    Raises:
        ModelError: when a beam runs along the direction and its two second moments differ.
    """
    direction = np.broadcast_to(np.asarray(section.direction, float), tangents.shape)
    first = direction - np.einsum("ni,ni->n", direction, tangents)[:, None] * tangents
    length = np.linalg.norm(first, axis=1)
    along = ~(length > 1e-6 * np.linalg.norm(direction, axis=1))
    if along.any():
        if section.inertia_12 or not np.isclose(section.inertia_11, section.inertia_22, rtol=1e-9):
            raise ModelError(
                "A beam runs along the first axis n1 that its section names, so its cross section has no direction.",
                "Give the beam section another direction n1.",
            )
        other = np.eye(3)[np.argmin(np.abs(tangents[along]), axis=1)]
        first[along] = np.cross(tangents[along], other)
        length[along] = np.linalg.norm(first[along], axis=1)
    first = first / length[:, None]
    _, _, angle = principal_inertias(section)
    if angle:
        first = np.cos(angle) * first + np.sin(angle) * np.cross(tangents, first)
    return np.stack([tangents, first, np.cross(tangents, first)], axis=1)


def principal_inertias(section: BeamSection) -> tuple[float, float, float]:
    """Return the second moments about the principal axes, and the angle about t from n1 to the first of these."""
    i11, i22, i12 = section.inertia_11, section.inertia_22, section.inertia_12
    if not i12:
        return i11, i22, 0.0
    # ∫ x1' x2' dA vanishes for axes rotated by θ with tan 2θ = 2 I12 / (I22 - I11).
    middle, radius = 0.5 * (i11 + i22), float(np.hypot(0.5 * (i22 - i11), i12))
    return middle - radius, middle + radius, 0.5 * float(np.arctan2(2.0 * i12, i22 - i11))


def section_stiffness(material: Material, section: BeamSection) -> np.ndarray:
    """Return (6,): EA, κGA, κGA, GJ, E I11, E I22."""
    modulus = material.youngs_modulus
    shear = modulus / (2.0 * (1.0 + material.poisson_ratio))
    first, second, _ = principal_inertias(section)
    return np.array([
        modulus * section.area,
        section.shear_factor * shear * section.area,
        section.shear_factor * shear * section.area,
        shear * section.torsion,
        modulus * first,
        modulus * second,
    ])  # fmt: skip


def section_mass(material: Material, section: BeamSection) -> np.ndarray:
    """Return (6,) mass per length: three times ρA (including mass on the axis), then ρ(I11 + I22), ρ I11, ρ I22."""
    first, second, _ = principal_inertias(section)
    own = material.density * np.array(
        [section.area, section.area, section.area, first + second, first, second]
    )
    own[:3] += section.nonstructural_mass
    return own


def checked_section(section: Section | None) -> BeamSection:
    """Return the section after checking that it is valid for a beam.

    Raises:
        ModelError: when it is missing, or one of its numbers is not positive.
    """
    if not isinstance(section, BeamSection):
        raise ModelError("A beam element has no section.", "Give it a beam section in the file of the model.")
    for name in ("area", "inertia_11", "inertia_22", "torsion", "shear_factor"):
        if not getattr(section, name) > 0.0:
            raise ModelError(
                f"The {name.replace('_', ' ')} of a beam section is {getattr(section, name):g}; "
                "it must be positive.",
                "Correct the section in the file of the model.",
            )
    if not section.inertia_12**2 < section.inertia_11 * section.inertia_22:
        raise ModelError(
            f"The product I12 = {section.inertia_12:g} of a beam section is too large for its second moments "
            f"{section.inertia_11:g} and {section.inertia_22:g}.",
            "Correct the section in the file of the model.",
        )
    return section
