"""Mesh, sets and surfaces of a deck, for the readers of couplings, constraints and bolts."""

from dataclasses import dataclass

import numpy as np

from faying.fem.model import ElementBlock
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_scopes import Deck, DeckScope
from faying.fem.readers._abaqus_sets import NamedSets
from faying.fem.readers._abaqus_surfaces import NamedSurfaces
from faying.fem.readers._abaqus_tables import DeckMesh

ALL = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Parts:
    """Mesh, sets and surfaces; `positions` (n_elements,) map elements in reading order to positions in `blocks`."""

    deck: Deck
    mesh: DeckMesh
    blocks: tuple[ElementBlock, ...]
    positions: np.ndarray
    node_sets: NamedSets
    element_sets: NamedSets
    surfaces: NamedSurfaces


def reference_node(parts: Parts, scope: DeckScope, card: Card) -> int:
    """Return the row of the single node given by REF NODE=.

    Raises:
        ReadError: when it names no node or several.
    """
    rows = parts.node_sets.members(scope.name, card.needed("REFNODE", "REF NODE"), card.place)
    if len(rows) != 1:
        raise card.error(
            f"REF NODE={card.name('REFNODE')} means {len(rows)} nodes, expected one.", "Name a single node."
        )
    return int(rows[0])


def note_unless(parts: Parts, card: Card, name: str, harmless: str) -> None:
    """List a parameter as unread if it has a value other than `harmless`."""
    if name in card.parameters and card.name(name) != harmless:
        parts.deck.unread.parameter(card, name)
