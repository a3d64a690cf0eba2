"""Another selection seen from its other side."""

import numpy as np

from faying.fem.facets import facet_kind
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin, shell_facets
from faying.fem.surface import FacetBlock, Surface
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
        blocks, start = [], 0
        surface = self.of.select(model, skin)
        shells = shell_facets(model.blocks, surface)
        for block in surface.blocks:
            own = shells[start : start + len(block.faces)]
            start += len(own)
            faces = np.where(own, 1 - block.faces, block.faces)
            kind = facet_kind(block.facet)
            n = kind.n_corners
            # Corners 0 3 2 1 backwards; the midside node of edge i is at n + i.
            corners = [0, *range(n - 1, 0, -1)]
            order = corners + [n + corner for corner in range(n - 1, -1, -1)][: kind.n_nodes - n]
            blocks.append(FacetBlock(block.facet, block.connectivity[:, order].copy(), block.elements, faces))
        return Surface(self.describe(), tuple(blocks))

    def describe(self) -> str:
        """Return the selection whose normals are turned round, in words."""
        return f"{self.of.describe()}, turned round"
