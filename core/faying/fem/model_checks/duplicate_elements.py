"""Elements with the same nodes."""

from collections.abc import Iterator

import numpy as np

from faying.fem.model_checks import CheckedModel, ModelFinding, model_checks, named


@model_checks.register("duplicate_elements")
def duplicate_elements(checked: CheckedModel) -> Iterator[ModelFinding]:
    """Find elements with the same nodes as another element."""
    model, double = checked.model, []
    widths = {b.connectivity.shape[1] for b in model.blocks}
    for width in sorted(widths):
        rows = [(start, b) for start, b in zip(model.block_starts[:-1], model.blocks, strict=True)
                if b.connectivity.shape[1] == width]  # fmt: skip
        places = np.concatenate([start + np.arange(len(b.ids)) for start, b in rows])
        nodes = np.sort(np.concatenate([b.connectivity for _, b in rows]), axis=1)
        order = np.lexsort(nodes.T)
        again = np.flatnonzero((nodes[order][1:] == nodes[order][:-1]).all(axis=1))
        double.append(places[order[np.union1d(again, again + 1)]])
    found = np.sort(np.concatenate([np.zeros(0, np.int64), *double]))
    if len(found):
        yield ModelFinding(
            "warning",
            f"{named(model.element_ids[found], 'element').capitalize()} have the same nodes as another one: their "
            "stiffness and mass count twice.",
            "Remove one of each in the mesher.",
            elements=found,
        )
