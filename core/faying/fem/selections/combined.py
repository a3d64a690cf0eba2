"""A surface put together from others."""

import numpy as np

from faying.fem.facet_sets import facets_of
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import member_of, parameter


@surface_selections.register("combined")
class CombinedSelection(SurfaceSelection):
    """The facets of several selections, without those of others."""

    title = "Several together"

    parts: tuple[member_of(surface_selections), ...] = parameter(  # type: ignore[valid-type]
        title="Together", min_length=1, meaning="Selections whose facets are taken, all of them."
    )
    without: tuple[member_of(surface_selections), ...] = parameter(  # type: ignore[valid-type]
        (), title="Without", meaning="Selections whose facets are left out again."
    )

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return them as one surface.

        Raises:
            ModelError: when a selection cannot be made, or nothing is left.
        """
        chosen = np.zeros(len(skin.areas), bool)
        for selections, wanted in ((self.parts, True), (self.without, False)):
            for selection in selections:
                chosen[facets_of(skin, selection.select(model, skin))] = wanted
        return self._chosen(skin, np.flatnonzero(chosen), "Leave less out.")

    def describe(self) -> str:
        """Return the selections that are put together and those taken off, in words."""
        words = " + ".join(part.describe() for part in self.parts)
        return words + "".join(f" − {part.describe()}" for part in self.without)
