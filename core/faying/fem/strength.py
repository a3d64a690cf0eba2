"""Strength of materials, which decks do not contain: given by the user, for safety factors only."""

import numpy as np

from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.params import Spec, parameter


class StrengthSpec(Spec):
    """Strength of a material of the deck. It affects only safety factors."""

    material: str = parameter(
        title="Material", choices="material", meaning="Name of the material in the deck."
    )
    yield_strength: float = parameter(
        355.0, title="Yield strength", quantity="stress", gt=0.0,
        meaning="Von Mises stress at which the material begins to flow.",
    )  # fmt: skip
    ultimate_strength: float = parameter(
        510.0, title="Ultimate strength", quantity="stress", gt=0.0,
        meaning="Tensile strength; where the Goodman line of the Haigh diagram meets the axis of mean stress.",
    )  # fmt: skip
    fatigue_strength: float = parameter(
        230.0, title="Fatigue strength", quantity="stress", gt=0.0,
        meaning="Stress amplitude about a mean of zero that is borne for ever; where the Goodman line meets the "
        "axis of amplitudes. Take surface, size and notches into account.",
    )  # fmt: skip


def nodal_strengths(model: FeModel, strengths: tuple[StrengthSpec, ...]) -> np.ndarray:
    """Return (n_nodes, 3) yield, ultimate and fatigue strength; NaN at nodes without a material of known strength.

    A node between materials has the smallest value of each.

    Raises:
        ModelError: when no strength refers to a material of the model.
    """
    known = {spec.material: spec for spec in strengths}
    found = np.full((len(model.nodes), 3), np.nan)
    for block in model.blocks:
        if (spec := known.get(block.material)) is not None:
            rows = np.unique(block.connectivity)
            values = [spec.yield_strength, spec.ultimate_strength, spec.fatigue_strength]
            found[rows] = np.fmin(found[rows], values)
    if np.isnan(found).all():
        names = ", ".join(repr(name) for name in model.materials) or "none"
        raise ModelError(
            "No strength is known of the body's materials, so it has no safety factors.",
            f"Add one in the body's properties (strengths); its materials are: {names}.",
        )
    return found
