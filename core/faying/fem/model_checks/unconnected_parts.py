"""Unconnected parts."""

from collections.abc import Iterator

import numpy as np

from faying.fem.connectivity import connected_parts, part_names
from faying.fem.model_checks import CheckedModel, ModelFinding, model_checks


@model_checks.register("unconnected_parts")
def unconnected_parts(checked: CheckedModel) -> Iterator[ModelFinding]:
    """Report parts that neither couplings nor joints connect to the others."""
    model = checked.model
    labels, count = connected_parts(model)
    joined = list(range(count))
    for master, slave in checked.joints.values():
        # A surface may extend over several parts.
        touched = {joined[part] for part in np.unique(labels[np.union1d(master.nodes, slave.nodes)])}
        joined = [min(touched) if j in touched else j for j in joined]
    if len(set(joined)) < 2:
        return
    of_element = labels[model.first_nodes]
    main = int(np.bincount(np.array(joined)[of_element]).argmax())
    names = part_names(model, labels)
    for part in (p for p in range(count) if joined[p] != main and (of_element == p).any()):
        sentence = names[part]
        yield ModelFinding(
            "warning",
            f"{sentence[0].upper()}{sentence[1:]} is connected to the rest neither by elements nor by a joint.",
            "Search for joints, couple it, or leave it out.",
            elements=np.flatnonzero(of_element == part),
        )
