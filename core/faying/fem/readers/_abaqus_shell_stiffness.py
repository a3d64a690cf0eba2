"""Shell stiffness given as numbers: `*SHELL GENERAL SECTION` and `*TRANSVERSE SHEAR STIFFNESS`."""

from dataclasses import replace

import numpy as np

from faying.fem.elasticity import plane_stress_stiffness
from faying.fem.laminates import LaminateStiffness, section_stiffness
from faying.fem.model import Material, ShellSection
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_numbers import real, reals
from faying.fem.readers._abaqus_sections import nodes_share


def read_shell_matrix(card: Card, target: str) -> tuple[ShellSection, Material]:
    """Return the section of a `*SHELL GENERAL SECTION` without material, and an equivalent material.

    Its 21 numbers are the upper triangle of forces and moments 11, 22, 12 per strain and curvature, column by column.
    The thickness is that of a homogeneous shell of equal membrane and bending stiffness. Without a `*TRANSVERSE SHEAR
    STIFFNESS` Abaqus's default (D11 + D22)/6 + D33/3 is used.

    Raises:
        ReadError: for fewer numbers, or a stiffness that is not positive definite.
    """
    values = [value for _, own in reals(card, "a stiffness") for value in own]
    if len(values) < 21:
        raise card.error(
            f"found {len(values)} numbers of the stiffness, expected 21.", "Complete the lines below."
        )
    whole = np.zeros((6, 6))
    for value, (row, column) in zip(values, [(i, j) for j in range(6) for i in range(j + 1)], strict=False):
        whole[row, column] = whole[column, row] = value
    scale = np.sqrt(np.abs(np.diag(whole)))
    if not scale.min() > 0.0 or not np.linalg.eigvalsh(whole / np.outer(scale, scale))[0] > 1e-12:
        raise card.error("the stiffness of the shells is not positive definite.", "Mend the lines below.")
    thickness = float(np.sqrt(12.0 * (whole[3, 3] + whole[4, 4]) / (whole[0, 0] + whole[1, 1])))
    shear = ((whole[0, 0] + whole[1, 1]) / 6.0 + whole[2, 2] / 3.0) * np.eye(2)
    found = LaminateStiffness(whole[:3, :3], whole[:3, 3:], whole[3:, 3:], shear)
    ratio = float(np.clip(whole[0, 1] / np.sqrt(whole[0, 0] * whole[1, 1]), -0.9, 0.49))
    modulus = float((whole[0, 0] + whole[1, 1]) / (2.0 * thickness) * (1.0 - ratio**2))
    per_area = real(card.parameters.get("DENSITY", ""), card.place, "the density")
    material = Material(f"{target} (shell section)", modulus, ratio, per_area / thickness, kind="laminate")
    offset = -nodes_share(card) * thickness
    return ShellSection(thickness, offset, stiffness=found.numbers), material


def with_shear_stiffness(section: ShellSection, material: Material, card: Card) -> ShellSection:
    """Return a shell's section with the transverse shear stiffness K11, K22, K12 of a following card.

    Raises:
        ReadError: when they are not positive definite.
    """
    numbers = [value for _, own in reals(card, "a stiffness") for value in own]
    first, second, mixed = [*numbers, 0.0, 0.0, 0.0][:3]
    shear = np.array([[first, mixed], [mixed, second or first]])
    if not np.linalg.eigvalsh(shear)[0] > 0.0:
        raise card.error("the transverse shear stiffness is not positive definite.", "Mend the line below.")
    found = section_stiffness(section)
    if found is None:
        plane, h = plane_stress_stiffness(material)[0], section.thickness
        found = LaminateStiffness(h * plane, np.zeros((3, 3)), h**3 / 12.0 * plane, shear)
    return replace(section, stiffness=replace(found, shear=shear).numbers)
