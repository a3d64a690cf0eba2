"""Facets of the outside that look inward."""

from collections.abc import Iterator

import numpy as np

from faying.fem.model_checks import ModelFinding, ModelSubject, model_checks, named
from faying.fem.skin import elements_and_faces


@model_checks.register("normals")
def normals(subject: ModelSubject) -> Iterator[ModelFinding]:
    """Find exterior facets whose normal points into their own element."""
    model, skin = subject.model, subject.skin
    middles = np.concatenate(
        [np.zeros((0, 3)), *(model.nodes[b.connectivity].mean(axis=1) for b in model.blocks)]
    )
    elements, _ = elements_and_faces(skin.surface)
    outward = np.einsum("ij,ij->i", skin.normals, skin.centroids - middles[elements])
    # A facet in the plane of its own element's middle belongs to a shell, which has no inside.
    bad = np.unique(elements[outward < -1e-6 * np.sqrt(skin.areas)])
    if len(bad):
        yield ModelFinding(
            "error",
            f"{named(model.element_ids[bad], 'element').capitalize()} "
            f"{'has' if len(bad) == 1 else 'have'} faces that look inward; contact there would act the wrong way.",
            "Number the nodes of these elements the other way round.",
            elements=bad,
        )
