"""Layers of composite shells (`*SHELL SECTION, COMPOSITE`) as plies."""

from typing import NamedTuple

import numpy as np

from faying.errors import shortened
from faying.fem.model import Material
from faying.fem.readers._abaqus_cards import Card, as_name
from faying.fem.readers._abaqus_directions import Directions
from faying.fem.readers._abaqus_numbers import real
from faying.fem.readers._abaqus_orientations import SectionCard, find_material_orientation
from faying.fem.readers._text_files import FileLine


class Layer(NamedTuple):
    """A line of the card: thickness, material, and an angle in degrees or the name of an orientation."""

    place: FileLine
    thickness: float
    material: Material
    direction: str


def known_material(card: Card, name: str, materials: dict[str, Material]) -> Material:
    """Return the material that a section names.

    Raises:
        ReadError: when there is none of that name.
    """
    if name not in materials:
        known = shortened(", ".join(materials), 200) or "none"
        raise card.error(f"there is no material {name}.", f"Known are: {known}.")
    return materials[name]


def read_layers(card: Card, materials: dict[str, Material]) -> list[Layer]:
    """Return the layers from the bottom to the top (the side of the normal); SYMMETRIC mirrors them.

    Raises:
        ReadError: for a layer without material, with an unknown material, or without thickness.
    """
    found = []
    for place, fields in card.rows():
        texts = [*fields, "", "", "", ""][:4]
        if not any(fields):
            continue
        thickness = real(texts[0], place, "the thickness of a layer")
        if not thickness > 0.0:
            raise place.error("expected a positive thickness of the layer.", "Mend this line.")
        if not texts[2]:
            raise place.error("the layer has no material, expected its name in the third place.", "Add it.")
        found.append(Layer(place, thickness, known_material(card, as_name(texts[2]), materials), texts[3]))
    if not found:
        raise card.error("expected a line for each layer.", "Add the lines below.")
    return [*found, *found[::-1]] if "SYMMETRIC" in card.parameters else found


def layer_directions(section: SectionCard, layers: list[Layer]) -> tuple[Directions | float, ...]:
    """Return for each layer its angle (rad) from the section's orientation, or its own orientation.

    Raises:
        ReadError: for a missing orientation.
    """
    found: list[Directions | float] = []
    for layer in layers:
        try:
            found.append(float(np.radians(float(layer.direction or "0"))))
        except ValueError:
            named = find_material_orientation(section, as_name(layer.direction))
            assert named is not None  # it has a name
            found.append(named)
    return tuple(found)
