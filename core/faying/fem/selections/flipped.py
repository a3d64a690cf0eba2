"""Another selection with reversed normals."""

from collections.abc import Callable

import numpy as np

from faying.fem.facet_sets import turned_round
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import member_of, parameter


@surface_selections.register("flipped")
class FlippedSelection(SurfaceSelection):
    """Another selection with reversed normals, for meshes with inverted faces."""

    title = "Normals turned round"

    of: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Of", meaning="The selection whose normals are turned round."
    )

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the facets with reversed node order; for shells, the facets of the opposite side."""
        surface = self.of.select(model, skin)
        turned = turned_round(model, surface, np.ones(surface.n_facets, bool))
        return Surface(self.describe(), turned.blocks)

    def in_words(self, part_of: Callable[[int], str]) -> str:
        """Return the selection by its part."""
        return f"{self.of.in_words(part_of)}, turned round"

    def describe(self) -> str:
        """Return the selection whose normals are reversed, as text."""
        return f"{self.of.describe()}, turned round"
