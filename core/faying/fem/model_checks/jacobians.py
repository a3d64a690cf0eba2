"""Elements that are turned inside out."""

from collections.abc import Iterator

import numpy as np

from faying.fem.element_quality import smallest_jacobians
from faying.fem.model_checks import CheckedModel, ModelFinding, model_checks, named


@model_checks.register("jacobians")
def jacobians(checked: CheckedModel) -> Iterator[ModelFinding]:
    """Find solid elements whose Jacobian is not positive at an integration point or corner."""
    values = smallest_jacobians(checked.model)
    with np.errstate(invalid="ignore"):
        bad = np.flatnonzero(values <= 0.0)
    if len(bad):
        yield ModelFinding(
            "error",
            f"{named(checked.model.element_ids[bad], 'element').capitalize()} "
            f"{'is' if len(bad) == 1 else 'are'} turned inside out or bent too far: the Jacobian is not positive.",
            "Mesh that place anew; straight edges instead of curved ones often help.",
            elements=bad,
        )
