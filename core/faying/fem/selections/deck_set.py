"""The exterior facets of a set in the deck."""

import numpy as np

from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin, elements_and_faces
from faying.fem.surface import Surface
from faying.params import parameter


@surface_selections.register("deck_set")
class DeckSetSelection(SurfaceSelection):
    """The exterior facets of an element set's elements, or those with all nodes in a node set."""

    name: str = parameter(
        title="Set",
        choices="deck_set",
        min_length=1,
        meaning="Name of an element set or node set in the deck.",
    )

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the facets; if an element set and a node set share the name, the element set is used.

        Raises:
            ModelError: when there is no such set, or it contains no facet.
        """
        wanted = self.name.strip().upper()
        elements = next((rows for name, rows in model.element_sets.items() if name.upper() == wanted), None)
        nodes = next((rows for name, rows in model.node_sets.items() if name.upper() == wanted), None)
        if elements is not None:
            chosen = np.isin(elements_and_faces(skin.surface)[0], elements)
        elif nodes is not None:
            inside = np.zeros(len(model.nodes), bool)
            inside[nodes] = True
            chosen = skin.surface.facets_within(inside)
        else:
            known = ", ".join(sorted({*model.element_sets, *model.node_sets})) or "none"
            raise ModelError(f"The deck has no set called {self.name!r}.", f"Sets of the deck: {known}.")
        return self._chosen(skin, np.flatnonzero(chosen), "Choose a set of elements or nodes at the outside.")

    def describe(self) -> str:
        """Return the set's name in the deck."""
        return self.name
