"""Elements of one node: types MASS, ROTARYI and DCOUP3D."""

from dataclasses import dataclass

import numpy as np

from faying.fem.readers._abaqus_mesh import read_elements
from faying.fem.readers._abaqus_scopes import Deck
from faying.fem.readers._abaqus_sets import NamedSets, sets_of_left_out
from faying.fem.readers._abaqus_tables import DeckMesh


@dataclass(frozen=True)
class PointElement:
    """An element of one node with mass or inertia, or for a coupling."""

    label: str
    number: int
    node: int


def read_point_elements(
    deck: Deck, mesh: DeckMesh, labels: tuple[str, ...]
) -> tuple[list[PointElement], NamedSets]:
    """Return the elements of some types and their sets; other elements are ignored in these sets.

    Raises:
        ReadError: for a missing node.
    """
    elements: list[PointElement] = []
    runs = []
    for scope in deck.scopes:
        for card in scope.having("ELEMENT"):
            label = card.needed("TYPE")
            if label not in labels:
                continue
            ids, nodes, _ = read_elements(card, 1)
            rows = mesh.node_tables[scope.name].find(nodes[:, 0])
            if (rows < 0).any():
                at = int(np.flatnonzero(rows < 0)[0])
                raise card.error(
                    f"element {ids[at]} uses node {nodes[at, 0]}, which does not exist.", "Add the node."
                )
            elements += [PointElement(label, int(i), int(r)) for i, r in zip(ids, rows, strict=True)]
            runs.append((scope.name, card, ids))
    return elements, sets_of_left_out(deck, mesh, runs)
