"""Element kinds. A member is one file with a class registered under its kind; there is no central list.

Node order, face numbers and face labels are those of Abaqus and CalculiX: face k (from 0) is their S(k+1).
"""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from faying.fem.model import Material, Section
from faying.registry import Registry

element_kinds: Registry[type["ElementKind"]] = Registry("element kind", __name__)


class ElementKind(ABC):
    """One element formulation; has no state.

    Attributes:
        labels: type names in decks ("C3D10", "C3D10M").
        n_nodes: number of nodes of an element.
        vtk_type: VTK cell type number, and `vtk_order`, the positions of VTK's nodes in our node order.
        faces: local node positions of each face, ordered so that the normal points OUT of the element
            (corners first, then midside nodes, as in `faying.fem.facets`); empty for beams. A shell has two: first the
            side of its normal (SPOS), then the opposite side (SNEG).
        facets: facet kind of each face ("tri3", "tri6", "quad4", "quad8").
        rotations: whether its nodes have rotations.
        is_shell: whether it is a surface with a thickness.
        is_outline: whether it is only a shape without stiffness and mass, of a body that was read in reduced form.
    """

    labels: ClassVar[tuple[str, ...]]
    n_nodes: ClassVar[int]
    vtk_type: ClassVar[int]
    vtk_order: ClassVar[tuple[int, ...]]
    faces: ClassVar[tuple[tuple[int, ...], ...]] = ()
    facets: ClassVar[tuple[str, ...]] = ()
    rotations: ClassVar[bool] = False
    is_shell: ClassVar[bool] = False
    is_outline: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def stiffness(
        cls,
        coordinates: np.ndarray,
        material: Material,
        section: Section | None,
        directions: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return (n, d, d) stiffness matrices of n elements.

        Dofs of a solid are three displacements per node, node-major; those of a beam or shell three displacements and
        three rotations per node, node-major (d = 6 n_nodes).

        Args:
            coordinates: (n, n_nodes, 3).
            material: of all n elements.
            section: of beams and shells; None for solids.
            directions: (n, 3, 3) the material's axes in each element, as in `ElementBlock`.

        Raises:
            ModelError: with the local index of an element with a non-positive Jacobian.
        """

    @classmethod
    @abstractmethod
    def mass(cls, coordinates: np.ndarray, material: Material, section: Section | None) -> np.ndarray:
        """Return mass matrices of n elements.

        For a solid this is the scalar nodal matrix (n, n_nodes, n_nodes), equal for all directions; for a beam or shell
        the full (n, d, d).
        """
