"""Facets of a skin as elements: the mesh of a body that was read in reduced form."""

from typing import Any, ClassVar

import numpy as np

from faying.errors import ModelError
from faying.fem.elements import ElementKind
from faying.fem.facets import facet_kind
from faying.fem.model import Material, Section


class SkinElement(ElementKind):
    """One facet of the skin, for surfaces and pictures, without stiffness and mass."""

    facet: ClassVar[Any]
    labels = ()  # not used in decks
    is_outline = True

    def __init_subclass__(cls) -> None:
        """Set shape and face from the facet kind."""
        super().__init_subclass__()
        cls.n_nodes, cls.vtk_type, cls.vtk_order = cls.facet.n_nodes, cls.facet.vtk_type, cls.facet.vtk_order
        cls.faces, cls.facets = (tuple(range(cls.n_nodes)),), (cls.facet.name,)

    @classmethod
    def stiffness(
        cls,
        coordinates: np.ndarray,
        material: Material,
        section: Section | None,
        directions: np.ndarray | None = None,
    ) -> np.ndarray:
        """Raise a ModelError: there is none."""
        raise ModelError(
            "The body was read reduced: of its mesh there is the skin alone, which has neither stiffness nor mass.",
            "Read the FE model itself.",
        )

    @classmethod
    def mass(cls, coordinates: np.ndarray, material: Material, section: Section | None) -> np.ndarray:
        """Raise a ModelError: there is none."""
        return cls.stiffness(coordinates, material, section)


TRI3, TRI6, QUAD4, QUAD8 = (facet_kind(name) for name in ("tri3", "tri6", "quad4", "quad8"))
