"""A surface combined from other selections."""

from collections.abc import Callable

import numpy as np

from faying.fem.facet_sets import facets_of, turned_facets, turned_round
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import member_of, parameter


@surface_selections.register("combined")
class CombinedSelection(SurfaceSelection):
    """The facets of several selections without those of others."""

    title = "Several together"

    parts: tuple[member_of(surface_selections), ...] = parameter(  # type: ignore[valid-type]
        title="Together", min_length=1, meaning="Selections whose facets are taken, all of them."
    )
    without: tuple[member_of(surface_selections), ...] = parameter(  # type: ignore[valid-type]
        (), title="Without", meaning="Selections whose facets are left out again."
    )

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the combined surface; facets of a flipped selection stay flipped.

        Raises:
            ModelError: when a selection fails, or no facet is left.
        """
        chosen, turned = np.zeros((2, len(skin.areas)), bool)
        for part in self.parts:
            surface = part.select(model, skin)
            own = facets_of(skin, surface)
            chosen[own], turned[own] = True, turned_facets(model, skin, surface)[own]
        for part in self.without:
            chosen[facets_of(skin, part.select(model, skin))] = False
        facets = np.flatnonzero(chosen)
        return turned_round(model, self._chosen(skin, facets, "Leave less out."), turned[facets])

    def in_words(self, part_of: Callable[[int], str]) -> str:
        """Return the added and subtracted selections by their parts."""
        words = " + ".join(part.in_words(part_of) for part in self.parts)
        return words + "".join(f" − {part.in_words(part_of)}" for part in self.without)

    def describe(self) -> str:
        """Return the added and subtracted selections as text."""
        words = " + ".join(part.describe() for part in self.parts)
        return words + "".join(f" − {part.describe()}" for part in self.without)
