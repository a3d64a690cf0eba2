"""A contact shape for each node of a surface."""

from typing import Literal

import numpy as np

from faying.params import parameter
from faying.progress import Progress
from faying.reduction.contact_shapes import ContactShapes, SurfaceProblem, contact_shapes


@contact_shapes.register("every_node")
class EveryNode(ContactShapes):
    """Static responses to a force at each node of the surface: no pressure distribution is left out.

    Statics under forces on the surface are exact. For contact that stays in a small region.
    """

    directions: Literal["normal", "all"] = parameter(
        "normal", title="Directions",
        meaning="Forces along the surface's normals alone, or in all directions, as friction needs: three times "
        "as many shapes.",
    )  # fmt: skip

    def shape_count(self, n_nodes: int) -> int:
        """Return the number of nodes, or three times that."""
        return n_nodes if self.directions == "normal" else 3 * n_nodes

    def build(self, problem: SurfaceProblem, progress: Progress) -> np.ndarray:
        """Return (n_dofs, n) shapes, or (n_dofs, 3 n)."""
        rows = problem.normal_rows if self.directions == "normal" else problem.rows
        return problem.responses(rows, np.eye(rows.shape[0]), progress)
