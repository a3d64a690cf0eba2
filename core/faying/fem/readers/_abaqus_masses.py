"""Point masses: elements MASS and ROTARYI with `*MASS` and `*ROTARY INERTIA`."""

from dataclasses import replace

import numpy as np

from faying.fem.model import PointMass
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_mesh import MASS_ELEMENTS
from faying.fem.readers._abaqus_numbers import reals
from faying.fem.readers._abaqus_point_elements import read_point_elements
from faying.fem.readers._abaqus_scopes import Deck, DeckScope
from faying.fem.readers._abaqus_tables import DeckMesh


def read_point_masses(deck: Deck, mesh: DeckMesh) -> tuple[PointMass, ...]:
    """Return a point mass for each element that has a value.

    A MASS and a ROTARYI at the same node form one point mass. Inertia in a part is given along the part's axes.

    Raises:
        ReadError: for missing nodes, sets or values.
    """
    elements, sets = read_point_elements(deck, mesh, MASS_ELEMENTS)
    if not elements:
        return ()
    found: dict[int, PointMass] = {}
    for scope in deck.scopes:
        for card in scope.having("MASS", "ROTARYINERTIA"):
            label = "MASS" if card.keyword == "MASS" else "ROTARYI"
            mass, inertia = _values(card, scope)
            for index in sets.members(scope.name, card.needed("ELSET"), card.place):
                element = elements[index]
                if element.label != label:
                    continue
                known = found.get(element.node)
                if known is None:
                    name = f"{label} element {element.number}"
                    known = PointMass(name, element.node, 0.0, np.zeros((3, 3)), np.zeros(3))
                found[element.node] = replace(known, mass=known.mass + mass, inertia=known.inertia + inertia)
    return tuple(found.values())


def _values(card: Card, scope: DeckScope) -> tuple[float, np.ndarray]:
    rows = reals(card, "a mass" if card.keyword == "MASS" else "a moment of inertia")
    if not rows:
        raise card.error(f"{card.title} has no values.", "Add the line with its numbers.")
    numbers = rows[0][1]
    if card.keyword == "MASS":
        return numbers[0], np.zeros((3, 3))
    i11, i22, i33, i12, i13, i23 = [*numbers, 0.0, 0.0, 0.0, 0.0, 0.0][:6]
    tensor = np.array([[i11, i12, i13], [i12, i22, i23], [i13, i23, i33]])
    return 0.0, scope.rotation @ tensor @ scope.rotation.T
