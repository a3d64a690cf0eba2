"""A surface where one element set faces another, defined by names that survive remeshing."""

import numpy as np

from faying.errors import ModelError, there_are
from faying.fem.facet_sets import enlarged
from faying.fem.facing import find_facing
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin, elements_and_faces
from faying.fem.surface import Surface
from faying.params import parameter


@surface_selections.register("facing_sets")
class FacingSetsSelection(SurfaceSelection):
    """All facets of one element set that face another set, such as parts or a mesher's physical groups."""

    title = "One set facing another"

    element_set: str = parameter(
        title="Set of this side", choices="element_set", min_length=1,
        meaning="Element set of the deck whose facets are taken, such as a part or a physical volume.",
    )  # fmt: skip
    other_set: str = parameter(
        title="Set of the other side",
        choices="element_set",
        min_length=1,
        meaning="Element set that is faced.",
    )
    distance: float = parameter(
        0.1, title="Distance", quantity="length", gt=0.0,
        meaning="Largest distance between facets that face each other.",
    )  # fmt: skip
    angle: float = parameter(
        30.0, title="Largest angle", unit="°", gt=0.0, le=90.0,
        meaning="Degrees by which facets may deviate from exactly facing each other.",
    )  # fmt: skip
    rings: int = parameter(
        0, title="Rings more", ge=0, le=1000, advanced=True,
        meaning="Rings of facets added round them: on a master surface, so that slave nodes at the rim find a point.",
    )  # fmt: skip

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the facets of the first set that face the second one.

        Raises:
            ModelError: when a set is missing or has no exterior facets, or the two do not face each other.
        """
        own, others = (self._facets(model, skin, name) for name in (self.element_set, self.other_set))
        found = find_facing(model, skin, own, others, self.distance, self.angle)
        facing = np.unique(found.within(self.distance, self.angle).facets)
        chosen = enlarged(skin, facing, self.rings) if len(facing) else facing
        return self._chosen(skin, chosen, "Raise the distance or the angle, or name other sets.")

    def _facets(self, model: FeModel, skin: Skin, name: str) -> np.ndarray:
        wanted = name.strip().upper()
        elements = next((rows for known, rows in model.element_sets.items() if known.upper() == wanted), None)
        if elements is None:
            raise ModelError(
                f"The deck has no element set called {name!r}.", there_are(name, model.element_sets)
            )
        facets = np.flatnonzero(np.isin(elements_and_faces(skin.surface)[0], elements))
        if not len(facets):
            raise ModelError(f"No element of the set {name!r} is at the outside.", "Name another set.")
        return facets

    def describe(self) -> str:
        """Return both sets as text."""
        return f"{self.element_set} facing {self.other_set}"
