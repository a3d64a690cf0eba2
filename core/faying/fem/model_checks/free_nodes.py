"""Unused nodes."""

from collections.abc import Iterator

import numpy as np

from faying.fem.model_checks import CheckedModel, ModelFinding, model_checks, named


@model_checks.register("free_nodes")
def free_nodes(checked: CheckedModel) -> Iterator[ModelFinding]:
    """Find nodes without element, coupling and equation."""
    model = checked.model
    used = np.zeros(len(model.nodes), bool)
    for block in model.blocks:
        used[block.connectivity] = True
    for coupling in model.couplings:
        used[coupling.nodes] = used[coupling.reference] = True
    for foundation in model.foundations:
        used[foundation.nodes] = used[foundation.reference] = True
    for equations in model.equations:  # ties, and the centres of cut bolts
        used[equations.nodes] = True
    for spring in model.springs:
        used[spring.nodes] = True
    used[[mass.node for mass in model.point_masses]] = True  # reported by the project's check of point masses
    free = np.flatnonzero(~used)
    if len(free):
        yield ModelFinding(
            "note",
            f"{named(model.node_ids[free], 'node').capitalize()} belong{'s' if len(free) == 1 else ''} to no element "
            "and no coupling.",
            "They do not move; as interface nodes they hold nothing. Couple them to a surface if that was meant.",
            nodes=free,
        )
