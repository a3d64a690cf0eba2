"""A surface where one part faces another."""

from collections.abc import Callable

import numpy as np

from faying.errors import ModelError
from faying.fem.facet_names import facet_number
from faying.fem.facet_sets import enlarged, facet_parts
from faying.fem.facing import FacingFacets, facing_regions, find_facing
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import parameter
from faying.units import amount


@surface_selections.register("facing")
class FacingSelection(SurfaceSelection):
    """The facets around a given one that face another part, as proposed by the search for joints."""

    title = "Facing another part"

    element: int = parameter(title="Element", ge=1, meaning="The deck's number of an element of this side.")
    face: int = parameter(title="Face", ge=1, le=6, meaning="Number of its face: 1 for S1, 2 for S2, …")
    other_element: int = parameter(
        title="Element of the other side", ge=1, meaning="The deck's number of an element that is faced."
    )
    other_face: int = parameter(title="Its face", ge=1, le=6, meaning="Number of that element's face.")
    distance: float = parameter(
        title="Distance",
        quantity="length",
        gt=0.0,
        meaning="Largest distance between facets that face each other.",
    )
    angle: float = parameter(
        30.0, title="Largest angle", unit="°", gt=0.0, le=90.0,
        meaning="Degrees by which facets may deviate from exactly facing each other.",
    )  # fmt: skip
    feature_angle: float = parameter(
        30.0, title="Feature angle", unit="°", ge=0.0, le=180.0, advanced=True,
        meaning="Degrees between neighbouring facets beyond which their common edge is a border.",
    )  # fmt: skip
    rings: int = parameter(
        0, title="Rings more", ge=0, le=1000, advanced=True,
        meaning="Rings of facets added round them: on a master surface, so that slave nodes at the rim find a point.",
    )  # fmt: skip

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the facets of the region.

        Raises:
            ModelError: when one of the faces is not exterior, both belong to one part, or they do not face each other.
        """
        seed = self._facet(model, skin, self.element, self.face)
        other = self._facet(model, skin, self.other_element, self.other_face)
        parts, _ = skin.once("facet parts", lambda: facet_parts(model, skin))
        if parts[seed] == parts[other]:
            raise ModelError(
                f"Elements {self.element} and {self.other_element} belong to the same part.",
                "Choose an element of another part that is faced.",
            )
        found = [self._facing(model, skin, parts, *of) for of in ((seed, other), (other, seed))]
        for region in facing_regions(skin, found[0], found[1], self.feature_angle):
            if seed in region.first:
                chosen = enlarged(skin, region.first, self.rings, self.feature_angle)
                return self._chosen(skin, chosen, "")
        raise ModelError(
            f"Face S{self.face} of element {self.element} does not face the part of element {self.other_element} "
            f"within {amount(self.distance, 'length')}.",
            "Raise the distance or the angle, or search for joints again.",
        )

    def _facing(self, model: FeModel, skin: Skin, parts: np.ndarray, seed: int, other: int) -> FacingFacets:
        """Return the facets of one part that face the other; both sides of a joint ask for the same."""
        own, others = int(parts[seed]), int(parts[other])
        limits = self.distance, self.angle

        def find() -> FacingFacets:
            first, second = (np.flatnonzero(parts == part) for part in (own, others))
            return find_facing(model, skin, first, second, *limits).within(*limits)

        return skin.once(("facing", own, others, *limits), find)

    def _facet(self, model: FeModel, skin: Skin, element: int, face: int) -> int:
        number = facet_number(model, skin, element, face)
        if number < 0:
            raise ModelError(
                f"Face S{face} of element {element} is not on the outside of the body.",
                "Choose a face that can be seen.",
            )
        return number

    def in_words(self, part_of: Callable[[int], str]) -> str:
        """Return both parts: "upper plate, facing lower plate"."""
        own, other = part_of(self.element), part_of(self.other_element)
        return f"{own}, facing {other}" if own and other else self.describe()

    def describe(self) -> str:
        """Return the starting facet and the largest distance of facing surfaces, as text."""
        return f"facing, from element {self.element} S{self.face}, within {self.distance:.4g}"
