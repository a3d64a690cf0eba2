"""Another selection seen from its other side."""

from faying.fem.facets import facet_kind
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import FacetBlock, Surface
from faying.params import member_of, parameter


@surface_selections.register("flipped")
class FlippedSelection(SurfaceSelection):
    """Another selection with its normals turned round: for meshes whose faces are numbered inside out."""

    kind = "flipped"
    title = "Normals turned round"

    of: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Of", meaning="The selection whose normals are turned round."
    )

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return its facets, each with its nodes in the opposite order."""
        blocks = []
        for block in self.of.select(model, skin).blocks:
            kind = facet_kind(block.facet)
            n = kind.n_corners
            # Corners 0 3 2 1 backwards; the midside node of edge i is at n + i.
            corners = [0, *range(n - 1, 0, -1)]
            order = corners + [n + corner for corner in range(n - 1, -1, -1)][: kind.n_nodes - n]
            blocks.append(
                FacetBlock(block.facet, block.connectivity[:, order].copy(), block.elements, block.faces)
            )
        return Surface(self.describe(), tuple(blocks))

    def describe(self) -> str:
        """Return what is turned round."""
        return f"{self.of.describe()}, turned round"
