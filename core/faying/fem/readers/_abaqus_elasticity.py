"""`*ELASTIC` of all linear elastic kinds, `*DENSITY` and `*EXPANSION`, as materials.

Abaqus and CalculiX order shear 12, 13, 23; here it is 12, 23, 31.
"""

from dataclasses import replace

import numpy as np

from faying.fem.elasticity import anisotropic_material, engineering_stiffness, lamina_stiffness
from faying.fem.model import Material
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_numbers import reals
from faying.fem.readers._abaqus_scopes import Unread, lines_in_words

# By TYPE: number of constants, and the kind of material; a temperature follows the constants.
_KINDS = {
    "": (2, "isotropic"), "ISO": (2, "isotropic"), "ISOTROPIC": (2, "isotropic"),
    "ENGINEERINGCONSTANTS": (9, "orthotropic"), "ORTHO": (9, "orthotropic"), "ORTHOTROPIC": (9, "orthotropic"),
    "LAMINA": (6, "lamina"), "ANISO": (21, "anisotropic"), "ANISOTROPIC": (21, "anisotropic"),
}  # fmt: skip
_PLACES = [0, 1, 2, 3, 5, 4]  # positions of 11, 22, 33, 12, 13, 23 in our order


def with_constants(material: Material, card: Card, unread: Unread) -> Material:
    """Return a material with the constants of an `*ELASTIC`, `*DENSITY` or `*EXPANSION`; unsupported input is noted.

    Raises:
        ReadError: for text instead of a number, too few constants, or impossible constants.
    """
    rows = reals(card, "a material constant")
    if not rows:
        raise card.error(f"{card.title} has no values.", "Add the line with its numbers.")
    kind = card.name("TYPE").replace(" ", "")
    if card.keyword == "DENSITY":
        count = 1
    elif card.keyword == "EXPANSION":
        count = {"": 1, "ISO": 1, "ISOTROPIC": 1, "ORTHO": 3, "ORTHOTROPIC": 3}.get(kind, 0)
    else:
        count = _KINDS.get(kind, (0, ""))[0]
    if not count:
        what = "expansion" if card.keyword == "EXPANSION" else "elasticity"
        unread.card(card, f"this kind of {what} is not read")
        return material
    lines, found = 0, 0  # eight constants in a line, the temperature behind the last
    while found < count and lines < len(rows):
        found += len(rows[lines][1])
        lines += 1
    if len(rows) > lines:
        text = f"{card.title} at other temperatures ({lines_in_words(len(rows) - lines)})"
        unread.note(rows[lines][0], text)
    values = [value for _, own in rows[:lines] for value in own]
    if card.keyword == "DENSITY":
        return replace(material, density=values[0])
    if count > 2 and len(values) < count:
        raise card.error(
            f"{card.text} of material {material.name} has {len(values)} constants, expected {count}.",
            "Complete the lines below this card.",
        )
    if card.keyword == "EXPANSION":
        own = () if count == 1 else (*values[:3], 0.0, 0.0, 0.0)
        return replace(material, expansion=values[0], expansions=own)
    if not any(values[:count]):  # the checks report a material without modulus
        return replace(material, youngs_modulus=0.0, kind="isotropic", stiffness=())
    if count == 2:
        ratio = values[1] if len(values) > 1 else 0.0
        return replace(
            material, youngs_modulus=values[0], poisson_ratio=ratio, kind="isotropic", stiffness=()
        )
    try:
        made = anisotropic_material(
            material.name, _KINDS[kind][1], _stiffness(kind, values), material.density
        )
    except ValueError as error:
        raise card.error(
            f"{card.text} of material {material.name}: {error}.", "Mend its constants."
        ) from None
    return replace(made, expansion=material.expansion, expansions=material.expansions)


def _stiffness(kind: str, values: list[float]) -> np.ndarray:
    if kind == "ENGINEERINGCONSTANTS":
        return engineering_stiffness(values[:3], values[3:6], values[6:9])
    if kind == "LAMINA":
        return lamina_stiffness(values[:2], values[2], values[3:6])
    made = np.zeros((6, 6))
    if kind.startswith("ORTHO"):
        d1111, d1122, d2222, d1133, d2233, d3333, d1212, d1313, d2323 = values[:9]
        made[:3, :3] = [[d1111, d1122, d1133], [d1122, d2222, d2233], [d1133, d2233, d3333]]
        made[[3, 5, 4], [3, 5, 4]] = d1212, d1313, d2323
        return made
    # The upper triangle, column by column.
    rows = [(row, column) for column in range(6) for row in range(column + 1)]
    for value, (row, column) in zip(values, rows, strict=False):
        i, j = _PLACES[row], _PLACES[column]
        made[i, j] = made[j, i] = value
    return made
