"""Facets with reversed normals."""

import numpy as np

from faying.fem.element_quality import jacobians_at_faces
from faying.fem.model import FeModel
from faying.fem.skin import facet_normals, surface_of_faces
from faying.fem.surface import Surface


def inward_facets(model: FeModel, surface: Surface) -> int:
    """Return the number of facets oriented against the faces of their elements; shells have no inside."""
    count = 0
    for block in surface.blocks:
        faces = surface_of_faces(model.blocks, surface.name, block.elements, block.faces)
        alike = np.einsum(
            "ij,ij->i",
            facet_normals(Surface(surface.name, (block,)), model.nodes),
            facet_normals(faces, model.nodes),
        )
        # Faces have outward normals if the Jacobian is positive.
        with np.errstate(invalid="ignore"):
            count += int((alike * jacobians_at_faces(model, block.elements, block.faces) < 0.0).sum())
    return count
