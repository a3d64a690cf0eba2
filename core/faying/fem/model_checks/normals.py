"""Exterior facets with inward normals."""

from collections.abc import Iterator

import numpy as np

from faying.fem.element_quality import jacobians_at_faces
from faying.fem.model_checks import CheckedModel, ModelFinding, model_checks, named
from faying.fem.skin import elements_and_faces


@model_checks.register("normals")
def normals(checked: CheckedModel) -> Iterator[ModelFinding]:
    """Find exterior facets whose normal points into their own element.

    Faces are numbered so that their normal points outward where the Jacobian is positive at the face; the centre of the
    element is no criterion, since a curved face may extend beyond it.
    """
    model = checked.model
    elements, faces = elements_and_faces(checked.skin.surface)
    with np.errstate(invalid="ignore"):  # shells have no inside
        bad = np.unique(elements[jacobians_at_faces(model, elements, faces) < 0.0])
    if len(bad):
        yield ModelFinding(
            "error",
            f"{named(model.element_ids[bad], 'element').capitalize()} "
            f"{'has' if len(bad) == 1 else 'have'} faces that look inward; contact there would act the wrong way.",
            "Number the nodes of these elements the other way round.",
            elements=bad,
        )
