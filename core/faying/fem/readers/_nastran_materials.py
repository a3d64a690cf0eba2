"""Materials of a Nastran deck: MAT1 (isotropic), MAT2 and MAT8 (shells: anisotropic, orthotropic), MAT9 (solids).

Their components are ordered 11, 22, 33, 12, 23, 31, as in Faying.
"""

from dataclasses import replace

import numpy as np

from faying.fem.elasticity import anisotropic_material, lamina_stiffness, stiffness_of_plane
from faying.fem.model import Material
from faying.fem.readers._nastran_cards import BulkCard
from faying.fem.readers._nastran_fields import integer, real

MATERIAL_CARDS = ("MAT1", "MAT2", "MAT8", "MAT9")
_RIGID_ACROSS = 1e3  # transverse over in-plane shear modulus, if a card gives none


def read_material(card: BulkCard, mass_factor: float) -> Material:
    """Return the material of a card, with a name such as "MAT8 7".

    Args:
        card: one of `MATERIAL_CARDS`.
        mass_factor: factor of all masses of the deck.

    Raises:
        ReadError: for text instead of a number, or impossible constants.
    """
    made = {"MAT1": _isotropic, "MAT2": _plane, "MAT8": _lamina, "MAT9": _solid}[card.name]
    name = f"{card.name} {integer(card, 0, 'a material number')}"
    try:
        material, density, first, count = made(card, name)
    except ValueError as error:
        raise card.place.error(f"{name}: {error}.", "Mend its constants.") from None
    material = replace(material, density=mass_factor * real(card, density, "a density"))
    if not any(card.text(first + i) for i in range(count)):
        return material
    growth = [real(card, first + i, "a coefficient of expansion") for i in range(count)]
    if count == 1:
        return replace(material, expansion=growth[0])
    spread = growth if count == 6 else [*growth[:2], 0.0, *growth[2:], 0.0, 0.0, 0.0]
    return replace(material, expansion=growth[0], expansions=tuple(spread[:6]))


# Each returns the material, the fields of density and first coefficient of expansion, and the number of coefficients.
_Made = tuple[Material, int, int, int]


def _isotropic(card: BulkCard, name: str) -> _Made:
    modulus, shear, ratio = (real(card, i, "a material constant") for i in (1, 2, 3))
    # Two of the three constants are given; the third follows.
    if not card.text(1):
        modulus = 2.0 * shear * (1.0 + ratio)
    elif not card.text(3) and shear > 0.0:
        ratio = modulus / (2.0 * shear) - 1.0
    return Material(name, modulus, ratio, 0.0), 4, 5, 1


def plane_matrix(card: BulkCard) -> np.ndarray:
    """Return (3, 3) the stiffness of a MAT2, which may be singular if a PSHELL uses it for shear or coupling."""
    return _symmetric([real(card, i, "a material constant") for i in range(1, 7)], 3)


def _plane(card: BulkCard, name: str) -> _Made:
    plane = plane_matrix(card)
    across = _RIGID_ACROSS * plane[2, 2] * np.eye(2)
    return anisotropic_material(name, "lamina", stiffness_of_plane(plane, across), 0.0), 7, 8, 3


def _lamina(card: BulkCard, name: str) -> _Made:
    e1, e2, ratio, g12, g13, g23 = (real(card, i, "a material constant") for i in range(1, 7))
    stiffness = lamina_stiffness(
        (e1, e2), ratio, (g12, g13 or _RIGID_ACROSS * g12, g23 or _RIGID_ACROSS * g12)
    )
    return anisotropic_material(name, "lamina", stiffness, 0.0), 7, 8, 2


def _solid(card: BulkCard, name: str) -> _Made:
    stiffness = _symmetric([real(card, i, "a material constant") for i in range(1, 22)], 6)
    coupled = stiffness.copy()
    coupled[:3, :3] = 0.0
    np.fill_diagonal(coupled, 0.0)
    kind = "anisotropic" if coupled.any() else "orthotropic"
    return anisotropic_material(name, kind, stiffness, 0.0), 22, 23, 6


def _symmetric(values: list[float], size: int) -> np.ndarray:
    """Return (size, size) a symmetric matrix from its upper triangle, row by row."""
    made = np.zeros((size, size))
    made[np.triu_indices(size)] = values
    return made + np.triu(made, 1).T
