"""Shells of a Nastran deck with separate PSHELL materials for membrane, bending, shear and coupling stiffness.

With the thickness T, N = T G1 ε + T² G4 χ and M = T² G4 ε + I G2 χ, where G4 is the mean of −z G/T: Nastran's curvature
is such that strains decrease with z. Q = Ts G3 γ. Bending stiffness and shear thickness are ratios: 12 I/T³, Ts/T.
"""

from collections.abc import Callable

import numpy as np

from faying.fem.elasticity import plane_stress_stiffness
from faying.fem.laminates import LaminateStiffness
from faying.fem.model import Material
from faying.fem.readers._nastran_cards import BulkCard
from faying.fem.readers._nastran_fields import integer, real
from faying.fem.readers._nastran_materials import plane_matrix

_SHEAR_SHARE = 5.0 / 6.0
_MEMBRANE, _BENDING, _SHEAR, _COUPLING = 1, 3, 5, 10  # fields of the material numbers


def _names(card: BulkCard, field: int) -> bool:
    """Return whether a field names a material; -1 in bending means plane strain."""
    return card.text(field) not in ("", "0", "-1")


def is_even(card: BulkCard) -> bool:
    """Return whether a PSHELL has the bending and shear stiffness of a single layer of its first material.

    A PSHELL without bending material counts too, since a pure membrane would be unstable.
    """
    own = card.text(_MEMBRANE)
    bends = not _names(card, _BENDING) or (
        card.text(_BENDING) == own and abs(real(card, 4, "a bending stiffness", 1.0) - 1.0) < 1e-3
    )
    shears = not _names(card, _SHEAR) or (
        card.text(_SHEAR) == own
        and abs(real(card, 6, "a share of the thickness", _SHEAR_SHARE) - _SHEAR_SHARE) < 1e-3
    )
    return bends and shears and not _names(card, _COUPLING)


def own_stiffness(
    card: BulkCard,
    thickness: float,
    material_of: Callable[[int], Material],
    cards: dict[int, BulkCard],
) -> tuple[float, ...]:
    """Return the stiffness of the shells of a PSHELL in the form of `ShellSection.stiffness`.

    Args:
        card: of the property.
        thickness: of the shells.
        material_of: returns a material by number.
        cards: material cards by number; MAT2 may be singular here.

    Raises:
        ReadError: for missing materials, or a stiffness with negative strain energy.
    """

    def matrix(field: int, across: bool = False) -> np.ndarray:
        number = integer(card, field, "a material number")
        if number in cards and cards[number].name == "MAT2":
            plane = plane_matrix(cards[number])
            return plane[:2, :2] if across else plane
        return plane_stress_stiffness(material_of(number))[1 if across else 0]

    h = thickness
    membrane = h * matrix(_MEMBRANE)
    second_moment = h**3 / 12.0 * real(card, 4, "a bending stiffness", 1.0)
    bending = second_moment * matrix(_BENDING if _names(card, _BENDING) else _MEMBRANE)
    share = real(card, 6, "a share of the thickness", _SHEAR_SHARE) if _names(card, _SHEAR) else _SHEAR_SHARE
    shear = share * h * matrix(_SHEAR if _names(card, _SHEAR) else _MEMBRANE, across=True)
    coupling = -(h**2) * matrix(_COUPLING) if _names(card, _COUPLING) else np.zeros((3, 3))
    whole = np.block([[membrane, coupling], [coupling.T, bending]])
    scale = np.sqrt(np.abs(np.diag(whole)))
    scale = np.where(scale > 0.0, scale, 1.0)
    scaled = whole / np.outer(scale, scale)
    if np.linalg.eigvalsh(scaled)[0] < -1e-6 or not np.linalg.eigvalsh(shear)[0] > 0.0:
        raise card.place.error(
            f"PSHELL {card.text(0)}: its materials make a stiffness that is not positive definite.",
            "Mend its materials (MID1 to MID4).",
        )
    return LaminateStiffness(membrane, coupling, bending, shear).numbers
