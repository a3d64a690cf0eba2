"""Layered shells of a Nastran deck (PCOMP, PCOMPG)."""

from typing import NamedTuple

import numpy as np

from faying.fem.readers._nastran_cards import BulkCard
from faying.fem.readers._nastran_fields import integer, real


class Layers(NamedTuple):
    """Material number, thickness and angle (rad) of layers, bottom first, and height of their middle above the
    nodes."""

    plies: tuple[tuple[int, float, float], ...]
    offset: float

    @property
    def thickness(self) -> float:
        """Total thickness."""
        return sum(thickness for _, thickness, _ in self.plies)

    @property
    def materials(self) -> tuple[int, ...]:
        """Distinct material numbers, in order."""
        return tuple(dict.fromkeys(material for material, _, _ in self.plies))


def read_layers(card: BulkCard) -> Layers:
    """Return the layers of a PCOMP or PCOMPG; a blank material or thickness repeats the previous layer's.

    Raises:
        ReadError: without layers, for a thickness that is not positive, or layers that do not act as a laminate.
    """
    how = card.text(7).upper()
    if how not in ("", "SYM"):
        raise card.place.error(
            f"found LAM={how}, expected blank or SYM: the layers stretch, bend and shear together here.",
            "Give a PSHELL of the same stiffness.",
        )
    found: list[tuple[int, float, float]] = []
    material, thickness = 0, 0.0
    # Material, thickness, angle and output of each layer; a PCOMPG has one numbered layer per line.
    first, step = (9, 8) if card.name == "PCOMPG" else (8, 4)
    for at in range(first, len(card.fields), step):
        if not any(card.fields[at : at + 4]):
            continue
        material = integer(card, at, "a material number", material)
        thickness = real(card, at + 1, "a thickness", thickness)
        if not thickness > 0.0:
            raise card.place.error(
                f"a layer of {card.name} {card.text(0)} has no thickness.", "Mend this card."
            )
        found.append((material, thickness, float(np.radians(real(card, at + 2, "an angle")))))
    if not found or not all(number for number, _, _ in found):
        raise card.place.error(
            f"{card.name} {card.text(0)} has {'a layer without material' if found else 'no layers'}.",
            "Mend this card.",
        )
    if how:
        found += found[::-1]
    total = sum(thick for _, thick, _ in found)
    bottom = real(card, 1, "the distance to the bottom", -0.5 * total)
    return Layers(tuple(found), bottom + 0.5 * total)
