"""Badly shaped elements."""

from collections.abc import Iterator

import numpy as np

from faying.fem.element_quality import element_quality
from faying.fem.model_checks import CheckedModel, ModelFinding, model_checks, named

POOR = 0.1
_FLAT = 0.01


@model_checks.register("quality")
def quality(checked: CheckedModel) -> Iterator[ModelFinding]:
    """Find solid elements whose scaled Jacobian is small."""
    values = element_quality(checked.model)
    with np.errstate(invalid="ignore"):
        poor = np.flatnonzero((values < POOR) & (values > 0.0))
    if len(poor):
        worst = checked.model.element_ids[poor[np.argmin(values[poor])]]
        yield ModelFinding(
            "warning" if values[poor].min() < _FLAT else "note",
            f"{named(checked.model.element_ids[poor], 'element').capitalize()} "
            f"{'has' if len(poor) == 1 else 'have'} a scaled Jacobian below {POOR:g} "
            f"(smallest {values[poor].min():.2g}, element {worst}).",
            "Stresses there are not to be trusted; mesh that place again if it matters.",
            elements=poor,
        )
