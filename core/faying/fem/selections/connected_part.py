"""The whole outer surface of one part."""

from collections.abc import Callable

import numpy as np

from faying.errors import ModelError
from faying.fem.connectivity import connected_parts
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import parameter


@surface_selections.register("connected_part")
class ConnectedPartSelection(SurfaceSelection):
    """All exterior facets of the part that contains a given element."""

    element: int = parameter(title="Element", ge=1, meaning="The deck's number of any element of the part.")

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the part's facets.

        Raises:
            ModelError: when no element has that number, or its part has no exterior facets.
        """
        at = np.flatnonzero(model.element_ids == self.element)
        if not len(at):
            raise ModelError(
                f"There is no element {self.element}.", "Choose one of the elements that the model has."
            )
        labels, _ = connected_parts(model, couplings=False)
        block = int(np.searchsorted(model.block_starts, at[0], side="right")) - 1
        first = model.blocks[block].connectivity[at[0] - model.block_starts[block], 0]
        parts = labels[skin.surface.first_nodes]
        part = labels[first]
        return self._chosen(skin, np.flatnonzero(parts == part), "Choose an element of a solid part.")

    def in_words(self, part_of: Callable[[int], str]) -> str:
        """Return the part's name."""
        name = part_of(self.element)
        return f"outside of {name}" if name else self.describe()

    def describe(self) -> str:
        """Return the element that identifies the part, as text."""
        return f"part of element {self.element}"
