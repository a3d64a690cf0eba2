"""A surface of individually selected facets."""

from collections.abc import Iterable

import numpy as np

from faying.errors import ModelError, shortened
from faying.fem.facet_names import facet_numbers, names_of_facets
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import parameter


@surface_selections.register("facets")
class FacetSelection(SurfaceSelection):
    """Exterior facets given by element and face."""

    title = "Chosen facets"

    facets: tuple[tuple[int, int], ...] = parameter(
        title="Facets", min_length=1,
        meaning="Pairs of the deck's element number and the number of the face: [4667, 4] is S4 of element 4667.",
    )  # fmt: skip

    @classmethod
    def picked(cls, model: FeModel, skin: Skin, facets: Iterable[int]) -> "FacetSelection":
        """Return the selection of facets of the skin, by number."""
        return cls(facets=tuple(sorted(names_of_facets(model, skin, facets))))

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the chosen facets.

        Raises:
            ModelError: when one of them is missing or not exterior.
        """
        try:
            elements, faces = np.array(self.facets, np.int64).T
        except OverflowError:
            element, face = max(self.facets, key=lambda facet: max(map(abs, facet)))
            raise ModelError(
                f"There is no face S{shortened(str(face))} of element {shortened(str(element))}.",
                "Choose facets of elements that the model has.",
            ) from None
        numbers = facet_numbers(model, skin, elements, faces)
        if (numbers < 0).any():
            element, face = self.facets[int(np.argmax(numbers < 0))]
            raise ModelError(
                f"Face S{face} of element {element} is not on the outside of the body.",
                "Remove it from the chosen facets.",
            )
        return skin.chosen(np.unique(numbers), self.describe())

    def describe(self) -> str:
        """Return the number of facets as text."""
        return f"{len(self.facets)} chosen facet{'s' if len(self.facets) > 1 else ''}"
