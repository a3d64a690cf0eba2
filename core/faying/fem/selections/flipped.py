"""Another selection seen from its other side."""

import numpy as np

from faying.fem.facet_sets import turned_round
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import member_of, parameter


@surface_selections.register("flipped")
class FlippedSelection(SurfaceSelection):
    """Another selection with its normals turned round: for meshes whose faces are numbered inside out."""

    title = "Normals turned round"

    of: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Of", meaning="The selection whose normals are turned round."
    )

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return its facets, each with its nodes in the opposite order; of shells those of the other side."""
        surface = self.of.select(model, skin)
        turned = turned_round(model, surface, np.ones(surface.n_facets, bool))
        return Surface(self.describe(), turned.blocks)

    def describe(self) -> str:
        """Return the selection whose normals are turned round, in words."""
        return f"{self.of.describe()}, turned round"
