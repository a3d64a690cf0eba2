"""Supports: node sets that `*BOUNDARY` cards hold in all three directions, before or in a step."""

import numpy as np

from faying.fem.model import SupportProposal
from faying.fem.readers._abaqus_cards import as_name
from faying.fem.readers._abaqus_numbers import is_integer, real
from faying.fem.readers._abaqus_scopes import Deck

_ALL_DIRECTIONS = {1, 2, 3}


def read_supports(deck: Deck, node_sets: dict[str, np.ndarray]) -> tuple[SupportProposal, ...]:
    """Return the node sets whose three displacements are held at zero, in the order of the deck.

    Args:
        deck: its cards.
        node_sets: rows of nodes by name, as the model has them.
    """
    held: dict[str, set[int]] = {}
    for card in deck.conditions:
        if card.keyword != "BOUNDARY":
            continue
        for place, fields in card.rows():
            name = as_name(fields[0])
            if name not in node_sets or len(fields) < 2:
                continue
            directions = held.setdefault(name, set())
            if fields[1].upper() in ("ENCASTRE", "PINNED"):
                directions |= _ALL_DIRECTIONS
            elif all(is_integer(text) for text in fields[1:3] if text):
                last = int(fields[2]) if len(fields) > 2 and fields[2] else int(fields[1])
                if len(fields) < 4 or real(fields[3], place, "a displacement") == 0.0:
                    directions |= set(range(int(fields[1]), last + 1))
    return tuple(SupportProposal(name) for name, directions in held.items() if directions >= _ALL_DIRECTIONS)
