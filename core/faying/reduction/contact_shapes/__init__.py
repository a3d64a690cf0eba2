"""Contact shapes: how a body deforms where another part presses on its surface. A member is one file."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from faying.fem.skin import nodal_normals
from faying.fem.surface import Surface, nodal_areas
from faying.params import Member
from faying.progress import Progress
from faying.reduction.contact_responses import contact_responses
from faying.reduction.interior import InteriorProblem
from faying.registry import Registry

contact_shapes: Registry[type["ContactShapes"]] = Registry("contact shapes", __name__)


@dataclass(frozen=True, eq=False)
class SurfaceProblem:
    """The problem that contact shapes come from: a body and one of its surfaces.

    Attributes:
        interior: the body.
        surface: at whose nodes forces may act.
        free: whether shapes are those of the free body instead of the one held at its interface nodes; needed when the
            component modes have no constraint modes, and where these nodes do not hold it.
    """

    interior: InteriorProblem
    surface: Surface
    free: bool = True

    @cached_property
    def places(self) -> np.ndarray:
        """(n, 3) of the surface's nodes."""
        return np.asarray(self.interior.nodes[self.surface.nodes])

    @cached_property
    def areas(self) -> np.ndarray:
        """(n,) area that each of them represents."""
        return nodal_areas(self.surface, self.interior.nodes)

    @cached_property
    def normal_rows(self) -> sp.csr_matrix:
        """(n, n_dofs) displacements of the surface's nodes along its outward normals."""
        normals = nodal_normals(self.surface, self.interior.nodes)
        n = len(normals)
        places = np.arange(3 * n).reshape(n, 3)
        along = sp.csr_matrix(
            (normals.ravel(), (np.repeat(np.arange(n), 3), places.ravel())), shape=(n, 3 * n)
        )
        return sp.csr_matrix(along @ self.rows)

    @cached_property
    def rows(self) -> sp.csr_matrix:
        """(3 n, n_dofs) displacements of the surface's nodes, node-major."""
        of_all = self.interior.matrices.dofs.displacement_rows
        return sp.csr_matrix(of_all[(3 * self.surface.nodes[:, None] + np.arange(3)).ravel()])

    def responses(self, rows: sp.csr_matrix, forces: np.ndarray, progress: Progress) -> np.ndarray:
        """Return (n_dofs, c) static responses to forces (k, c) that do work on displacements `rows` (k, n_dofs)."""
        free = self.free or not self.interior.holds_body
        return contact_responses(self.interior, rows, forces, progress, free=free)


def bytes_of_shapes(n_dofs: int, count: int) -> float:
    """Return the memory in bytes for `count` trial vectors while the basis is computed: the vectors, and the basis."""
    return 2.0 * 8.0 * n_dofs * count


class ContactShapes(Member):
    """Computes trial vectors of a body for forces on one of its surfaces.

    In the basis they are made orthonormal to the others in the elastic energy (`faying.reduction.extend.extend_basis`).
    """

    @abstractmethod
    def shape_count(self, n_nodes: int) -> int:
        """Return the largest number of shapes for a surface with this number of nodes."""

    @abstractmethod
    def build(self, problem: SurfaceProblem, progress: Progress) -> np.ndarray:
        """Return (n_dofs, g) shapes.

        Args:
            problem: body and surface.
            progress: reports and cancels.
        """
