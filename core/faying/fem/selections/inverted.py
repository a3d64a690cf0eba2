"""All exterior facets outside another selection."""

from collections.abc import Callable

import numpy as np

from faying.fem.facet_sets import facets_of
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import member_of, parameter


@surface_selections.register("inverted")
class InvertedSelection(SurfaceSelection):
    """All exterior facets except those of another selection."""

    title = "All but"

    of: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="But", meaning="The selection whose facets are left out."
    )

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the other facets.

        Raises:
            ModelError: when there are none.
        """
        rest = np.ones(len(skin.areas), bool)
        rest[facets_of(skin, self.of.select(model, skin))] = False
        return self._chosen(skin, np.flatnonzero(rest), "Leave less out.")

    def in_words(self, part_of: Callable[[int], str]) -> str:
        """Return the selection by its part."""
        return f"all but {self.of.in_words(part_of)}"

    def describe(self) -> str:
        """Return the excluded selection as text."""
        return f"all but {self.of.describe()}"
