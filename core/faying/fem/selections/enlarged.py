"""Another selection grown or shrunk by rings of facets."""

from collections.abc import Callable

from faying.fem.facet_sets import enlarged, facets_of, turned_facets, turned_round
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import member_of, parameter


@surface_selections.register("enlarged")
class EnlargedSelection(SurfaceSelection):
    """Another selection, grown or shrunk by rings of facets."""

    title = "Grown or shrunk"

    of: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Of", meaning="The selection that is grown or shrunk."
    )
    rings: int = parameter(
        1, title="Rings", ge=-1000, le=1000, meaning="Rings of facets more; negative for so many less."
    )

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the facets with rings of neighbours added, or outer rings removed.

        Rings around a flipped selection are flipped too.

        Raises:
            ModelError: when no facet is left.
        """
        surface = self.of.select(model, skin)
        own, turned = facets_of(skin, surface), turned_facets(model, skin, surface)
        facets = enlarged(skin, own, self.rings)
        chosen = self._chosen(skin, facets, "Take fewer rings away.")
        return turned_round(model, chosen, turned[facets] | turned[own].all())

    def in_words(self, part_of: Callable[[int], str]) -> str:
        """Return the selection by its part, and the number of rings."""
        return self._with_rings(self.of.in_words(part_of))

    def describe(self) -> str:
        """Return the selection and the number of rings by which it grows or shrinks, as text."""
        return self._with_rings(self.of.describe())

    def _with_rings(self, words: str) -> str:
        return f"{words} {'+' if self.rings >= 0 else '−'} {abs(self.rings)} rings"
