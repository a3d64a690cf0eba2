"""Inverted or excessively distorted elements."""

from collections.abc import Iterator

import numpy as np

from faying.fem.element_quality import smallest_jacobians
from faying.fem.mirrored_elements import inverted_elements
from faying.fem.model_checks import CheckedModel, ModelFinding, model_checks, named


@model_checks.register("jacobians")
def jacobians(checked: CheckedModel) -> Iterator[ModelFinding]:
    """Find solid elements whose Jacobian is not positive at an integration point or corner."""
    values = smallest_jacobians(checked.model)
    with np.errstate(invalid="ignore"):
        bad = np.flatnonzero(values <= 0.0)
    inside_out = inverted_elements(checked.model)
    bad = np.setdiff1d(bad, inside_out)
    if len(inside_out):
        yield ModelFinding(
            "error",
            f"{named(checked.model.element_ids[inside_out], 'element').capitalize()} "
            f"{'is' if len(inside_out) == 1 else 'are'} turned inside out: the volume is negative.",
            "Switch on turn_elements of the body's model, or correct the order of their nodes in the deck.",
            elements=inside_out,
            remedy="turn_elements",
        )
    if len(bad):
        yield ModelFinding(
            "error",
            f"{named(checked.model.element_ids[bad], 'element').capitalize()} "
            f"{'is' if len(bad) == 1 else 'are'} bent too far: the Jacobian is not positive.",
            "Mesh that place again; straight edges instead of curved ones often help.",
            elements=bad,
        )
