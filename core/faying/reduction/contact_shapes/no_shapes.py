"""No contact shapes: the surface deforms only as the body's other trial vectors let it."""

import numpy as np

from faying.progress import Progress
from faying.reduction.contact_shapes import ContactShapes, SurfaceProblem, contact_shapes


@contact_shapes.register("none")
class NoShapes(ContactShapes):
    """No local deformation; for bodies that are stiff where they touch. Peak forces then depend on the contact law."""

    def shape_count(self, n_nodes: int) -> int:
        """Return zero."""
        return 0

    def build(self, problem: SurfaceProblem, progress: Progress) -> np.ndarray:
        """Return (n_dofs, 0)."""
        return np.zeros((problem.interior.n_dofs, 0))
