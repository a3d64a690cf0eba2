"""Triangles and quadrilaterals written by mesh programs, read as surfaces of solids.

Gmsh writes its surfaces as plane elements (CPS3), meshio as rigid ones (R3D3), with element sets for physical groups.
"""

import numpy as np

from faying.errors import ReadError
from faying.fem.model import DeckSurface, ElementBlock
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_mesh import flat_nodes, read_elements
from faying.fem.readers._abaqus_scopes import Deck
from faying.fem.readers._abaqus_sets import sets_of_left_out
from faying.fem.readers._abaqus_tables import DeckMesh
from faying.fem.readers._blocks import surfaces_of_facets

_CARD = "\0"  # no name in a deck begins like this


def flat_surfaces(deck: Deck, mesh: DeckMesh, blocks: tuple[ElementBlock, ...]) -> dict[str, DeckSurface]:
    """Return a surface for each element set of flat elements, of the coincident faces of solids.

    Elements that match no face of a solid are listed as unread.

    Raises:
        ReadError: for an element with the wrong number of nodes, or a set with missing members.
    """
    runs, corners = list[tuple[str, Card, np.ndarray]](), list[np.ndarray]()
    for scope in deck.scopes:
        for card in scope.having("ELEMENT"):
            if not (count := flat_nodes(card.name("TYPE"))):
                continue
            try:
                ids, nodes, longer = read_elements(card, count)
                rows = mesh.node_tables[scope.name].find(nodes.ravel()).reshape(nodes.shape)
            except ReadError:
                ids, rows, longer = np.zeros(0, np.int64), np.full((1, count), -1), []
            if (rows < 0).any() or longer:  # some related types have an additional direction node
                deck.unread.card(card, "elements of a type that is not taken over")
                continue
            runs.append((scope.name, card, ids))
            # A triangle repeats its third corner.
            corners.append(rows[:, [0, 1, 2, 2]] if count in (3, 6) else rows[:, :4])
    if not runs:
        return {}
    table, sets = np.concatenate(corners), sets_of_left_out(deck, mesh, runs)
    facets = {name: _by_shape(table[members]) for name, members in sets.resolved().items() if len(members)}
    of_cards = {f"{_CARD}{number}": _by_shape(own) for number, own in enumerate(corners)}
    surfaces, lost = surfaces_of_facets(blocks, facets | of_cards)
    for (_, card, ids), name in zip(runs, of_cards, strict=True):
        surfaces.pop(name, None)
        if name in lost:
            deck.unread.card(
                card, f"{lost[name]} of {len(ids)} elements are on no face of a solid and left out"
            )
    return surfaces


def _by_shape(corners: np.ndarray) -> list[np.ndarray]:
    """Return the corners of triangles (n, 3) and of quadrilaterals (m, 4) as separate tables, omitting empty ones."""
    triangles = corners[:, 2] == corners[:, 3]
    return [part for part in (corners[triangles, :3], corners[~triangles]) if len(part)]
