"""A surface defined in the deck."""

from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin, surface_from_deck
from faying.fem.surface import Surface
from faying.params import parameter


@surface_selections.register("deck_surface")
class DeckSurfaceSelection(SurfaceSelection):
    """The facets of a `*SURFACE` card; for a node surface, the exterior facets with all nodes in it."""

    name: str = parameter(
        title="Surface", choices="deck_surface", min_length=1, meaning="Name of a surface in the deck."
    )

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the deck's surface."""
        return surface_from_deck(model, self.name, skin)

    def describe(self) -> str:
        """Return the surface's name in the deck."""
        return self.name
