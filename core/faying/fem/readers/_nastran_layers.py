"""Layered shells of a Nastran deck (PCOMP, PCOMPG) whose layers are all of one isotropic material."""

from typing import NamedTuple

from faying.fem.readers._nastran_cards import BulkCard
from faying.fem.readers._nastran_fields import integer, real


class Layers(NamedTuple):
    """Number of the one material, thickness of all layers, and how far their middle lies from the nodes."""

    material: int
    thickness: float
    offset: float


def read_layers(card: BulkCard) -> Layers:
    """Return the layers of a PCOMP or PCOMPG; a blank material or thickness is that of the layer before.

    Raises:
        ReadError: for layers of different materials, no layers, or a thickness that is not positive.
    """
    how = card.text(7).upper()
    if how not in ("", "SYM"):
        raise card.place.error(
            f"found LAM={how}, expected blank or SYM: the layers act as a shell of one material here.",
            "Give a PSHELL of the same stiffness.",
        )
    materials: set[int] = set()
    material, thickness, total = 0, 0.0, 0.0
    # Material, thickness, angle and output of each layer; a PCOMPG numbers its layers, one in a line.
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
        materials.add(material)
        total += thickness * (2.0 if how else 1.0)
    if len(materials) != 1:
        known = ", ".join(map(str, sorted(materials))) or "none"
        raise card.place.error(
            f"{card.name} {card.text(0)} has layers of the materials {known}, expected one.",
            "Give a PSHELL of the same stiffness.",
        )
    bottom = real(card, 1, "the distance to the bottom", -0.5 * total)
    return Layers(material, total, bottom + 0.5 * total)
