"""Point masses: elements MASS and ROTARYI with `*MASS` and `*ROTARY INERTIA`."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from faying.fem.model import PointMass
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_mesh import POINT_ELEMENTS, read_elements
from faying.fem.readers._abaqus_numbers import reals
from faying.fem.readers._abaqus_scopes import Deck, Scope
from faying.fem.readers._abaqus_sets import NamedSets, add_listed_sets
from faying.fem.readers._abaqus_tables import Mesh
from faying.fem.readers._number_table import NumberTable


@dataclass(frozen=True)
class _PointElement:
    """An element of one node that carries mass or inertia."""

    label: str
    number: int
    node: int


def read_point_masses(deck: Deck, mesh: Mesh) -> tuple[PointMass, ...]:
    """Return a point mass for each element that has a value.

    A MASS and a ROTARYI at one node make one point mass. Inertia of a part is given along its own axes.

    Raises:
        ReadError: for nodes, sets or values that are not there.
    """
    elements, sets = _point_elements(deck, mesh)
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


def _values(card: Card, scope: Scope) -> tuple[float, np.ndarray]:
    rows = reals(card, "a mass" if card.keyword == "MASS" else "a moment of inertia")
    if not rows:
        raise card.error(f"{card.title} has no values.", "Add the line with its numbers.")
    numbers = rows[0][1]
    if card.keyword == "MASS":
        return numbers[0], np.zeros((3, 3))
    i11, i22, i33, i12, i13, i23 = [*numbers, 0.0, 0.0, 0.0, 0.0, 0.0][:6]
    tensor = np.array([[i11, i12, i13], [i12, i22, i23], [i13, i23, i33]])
    return 0.0, scope.rotation @ tensor @ scope.rotation.T


def _point_elements(deck: Deck, mesh: Mesh) -> tuple[list[_PointElement], NamedSets]:
    """Return the elements, and the sets of them; all other elements are passed over in these sets."""
    elements: list[_PointElement] = []
    tables, others, named = {}, {}, []
    for scope in deck.scopes:
        numbers = [np.zeros(0, np.int64)]
        first = len(elements)
        for card in scope.having("ELEMENT"):
            label = card.needed("TYPE")
            if label not in POINT_ELEMENTS:
                continue
            ids, nodes = read_elements(card, 1)
            rows = mesh.node_tables[scope.name].find(nodes[:, 0])
            if (rows < 0).any():
                at = int(np.flatnonzero(rows < 0)[0])
                raise card.error(
                    f"element {ids[at]} uses node {nodes[at, 0]}, which does not exist.", "Add the node."
                )
            members = len(elements) + np.arange(len(ids))
            elements += [_PointElement(label, int(i), int(r)) for i, r in zip(ids, rows, strict=True)]
            numbers.append(ids)
            if card.name("ELSET"):
                named.append((scope.name, card, members))
        tables[scope.name] = NumberTable.of(np.concatenate(numbers), first)
        others[scope.name] = np.concatenate(
            [
                mesh.element_tables[scope.name].numbers,
                *(ids for s, _, ids in mesh.left_out if s == scope.name),
            ]
        )
    sets = NamedSets("element", tables, others)
    for owner, card, members in named:
        sets.add(owner, card.name("ELSET"), card.place, partial(np.asarray, members))
    # Sets of other elements may be parts of listed sets.
    for owner, card in [
        *((run.scope, run.card) for run in mesh.elements),
        *((owner, card) for owner, card, _ in mesh.left_out),
    ]:
        if card.name("ELSET"):
            sets.add(owner, card.name("ELSET"), card.place, partial(np.zeros, 0, np.int64))
    add_listed_sets(deck, mesh, None, sets)
    return elements, sets
