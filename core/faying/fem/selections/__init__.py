"""Selections of a body's surfaces. A member is one file, registered under its kind."""

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.fem.surface import Surface
from faying.params import Member
from faying.registry import Registry

if TYPE_CHECKING:
    from faying.fem.skin import Skin

surface_selections: Registry[type["SurfaceSelection"]] = Registry("surface selection", __name__)


class SurfaceSelection(Member):
    """Selection of the facets of a surface."""

    @abstractmethod
    def select(self, model: FeModel, skin: "Skin") -> Surface:
        """Return the chosen facets as a surface with outward normals.

        Args:
            model: the body's model.
            skin: its exterior facets with their neighbours.

        Raises:
            ModelError: when the selection refers to missing items or contains no facet.
        """

    @abstractmethod
    def describe(self) -> str:
        """Return a short description of the selection for a tree or report."""

    def in_words(self, part_of: Callable[[int], str]) -> str:
        """Return a description for people who know the parts of the body rather than its element numbers.

        Args:
            part_of: returns the name of the part that an element, by its number, belongs to; "" where it has none.
        """
        return self.describe()

    def _chosen(self, skin: "Skin", facets: np.ndarray, hint: str) -> Surface:
        """Return facets of the skin, by number, as this selection's surface; raises if there are none."""
        if not len(facets):
            raise ModelError(f"The selection ({self.describe()}) holds no facet of the outside.", hint)
        return skin.chosen(facets, self.describe())
