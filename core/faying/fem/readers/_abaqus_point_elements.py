"""Elements of one node: types MASS, ROTARYI and DCOUP3D."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from faying.fem.readers._abaqus_mesh import read_elements
from faying.fem.readers._abaqus_scopes import Deck
from faying.fem.readers._abaqus_sets import NamedSets, add_listed_sets
from faying.fem.readers._abaqus_tables import DeckMesh
from faying.fem.readers._number_index import NumberIndex


@dataclass(frozen=True)
class PointElement:
    """An element of one node, which carries mass or inertia or stands for a coupling."""

    label: str
    number: int
    node: int


def read_point_elements(
    deck: Deck, mesh: DeckMesh, labels: tuple[str, ...]
) -> tuple[list[PointElement], NamedSets]:
    """Return the elements of some types, and the sets of them; all other elements are passed over in these sets.

    Raises:
        ReadError: for a node that is not there.
    """
    elements: list[PointElement] = []
    tables, others, named = {}, {}, []
    for scope in deck.scopes:
        numbers = [np.zeros(0, np.int64)]
        first = len(elements)
        for card in scope.having("ELEMENT"):
            label = card.needed("TYPE")
            if label not in labels:
                continue
            ids, nodes = read_elements(card, 1)
            rows = mesh.node_tables[scope.name].find(nodes[:, 0])
            if (rows < 0).any():
                at = int(np.flatnonzero(rows < 0)[0])
                raise card.error(
                    f"element {ids[at]} uses node {nodes[at, 0]}, which does not exist.", "Add the node."
                )
            members = len(elements) + np.arange(len(ids))
            elements += [PointElement(label, int(i), int(r)) for i, r in zip(ids, rows, strict=True)]
            numbers.append(ids)
            if card.name("ELSET"):
                named.append((scope.name, card, members))
        tables[scope.name] = NumberIndex.of(np.concatenate(numbers), first)
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
