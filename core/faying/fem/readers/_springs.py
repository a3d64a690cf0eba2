"""Springs of decks, for readers: springs that do not restrain a free body, and their ground nodes."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from faying.fem.model import FeModel, Spring
from faying.fem.springs import loose_ends, resists_rigid_motion


def with_springs(
    model: FeModel, springs: Sequence[Spring], n_deck: int, tell: Callable[[Spring, str], None]
) -> FeModel:
    """Return the model with springs, and a node set for each ground node, to be held in an analysis.

    Args:
        model: model with all else, including the nodes.
        springs: springs of the deck.
        n_deck: number of the deck's nodes; further nodes are ground nodes.
        tell: called for each omitted spring with the reason.
    """
    kept = []
    for spring in springs:
        if resists_rigid_motion(spring, model.nodes[spring.nodes]):
            tell(
                spring, "its ends are apart, so that it would resist a turn of the body as a whole; left out"
            )
        else:
            kept.append(spring)
    made = replace(model, springs=tuple(kept))
    ends = loose_ends(made)
    stiff = np.zeros(len(model.nodes))
    for spring in kept:
        np.add.at(stiff, spring.nodes, np.abs(spring.stiffness).reshape(2, 6, 12).sum(axis=(1, 2)))
    damped_alone = set(ends[stiff[ends] == 0.0].tolist())
    for spring in [each for each in kept if damped_alone & set(each.nodes.tolist())]:
        tell(spring, "a damper on ground, which would brake the body as a whole; left out")
        kept.remove(spring)
    singles = {int(rows[0]) for rows in model.node_sets.values() if len(rows) == 1}
    sets = {
        f"NODE {model.node_ids[row]}": np.array([row])
        for row in loose_ends(replace(model, springs=tuple(kept))).tolist()
        # In a deck with springs only, nearly all nodes are such ends; ground nodes come after the deck's nodes.
        if row not in singles and (model.blocks or row >= n_deck)
    }
    return replace(model, springs=tuple(kept), node_sets={**model.node_sets, **sets})
