"""Contact shapes for a pressure that moves over a surface: fewer than its nodes."""

from typing import ClassVar

import numpy as np
import scipy.linalg as la

from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.contact_shapes import ContactShapes, SurfaceProblem, contact_shapes


@contact_shapes.register("patches")
class Patches(ContactShapes):
    """Proper orthogonal decomposition of the responses to round bumps of pressure at all places of the surface.

    The bumps have one radius, which is about that of the contact; all count with the same energy. For contact that
    moves over many nodes: gears, cams, rollers.
    """

    title: ClassVar[str] = "Patches of pressure"

    radius: float = parameter(
        1.0, title="Radius", quantity="length", gt=0.0,
        meaning="Of the bumps; about the radius of the contact. Smaller than a facet, it is one node at a time.",
    )  # fmt: skip
    count: int = parameter(
        30, title="Number of shapes", ge=1, le=2000,
        meaning="How many shapes are kept, those of the largest share in the energy first.",
    )  # fmt: skip

    def shape_count(self, n_nodes: int) -> int:
        """Return the requested number, at most the number of nodes."""
        return min(self.count, n_nodes)

    def build(self, problem: SurfaceProblem, progress: Progress) -> np.ndarray:
        """Return (n_dofs, g) shapes of unit energy, the most important first; fewer if the bumps span fewer."""
        bumps = self._bumps(problem)
        rows = problem.normal_rows
        responses = problem.responses(rows, bumps, PartialProgress(progress, 0.0, 0.9))
        energies = bumps.T @ (rows @ responses)
        energies = 0.5 * (energies + energies.T)
        scale = 1.0 / np.sqrt(np.diag(energies))
        values, vectors = la.eigh(scale[:, None] * energies * scale)
        kept = np.flatnonzero(values > 1e-12 * values[-1])[::-1][: self.count]
        progress.report(1.0, self.title)
        return np.asarray(responses @ (scale[:, None] * vectors[:, kept] / np.sqrt(values[kept])))

    def _bumps(self, problem: SurfaceProblem) -> np.ndarray:
        """Return (n, n) nodal forces of a pressure cos²(π d / 2 radius) round each node, one bump in each column."""
        from scipy.spatial import cKDTree  # late: takes long to import

        tree = cKDTree(problem.places)
        near = tree.sparse_distance_matrix(tree, self.radius, output_type="coo_matrix").toarray()
        close = near > 0.0
        np.fill_diagonal(close, val=True)
        pressure = np.where(close, np.cos(0.5 * np.pi * near / self.radius) ** 2, 0.0)
        return np.asarray(problem.areas[:, None] * pressure)
