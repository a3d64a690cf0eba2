"""A surface grown from one facet across all edges that are not sharp."""

from collections.abc import Callable

from faying.errors import ModelError
from faying.fem.facet_names import facet_number, names_of_facets
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import parameter


@surface_selections.register("grown")
class GrownSelection(SurfaceSelection):
    """The exterior facets reached from a given one without crossing a sharp edge."""

    title = "Grown surface"

    element: int = parameter(
        title="Element", ge=1, meaning="The deck's number of the element on which the growth starts."
    )
    face: int = parameter(title="Face", ge=1, le=6, meaning="Number of its face: 1 for S1, 2 for S2, …")
    angle: float = parameter(
        30.0, title="Feature angle", unit="°", ge=0.0, lt=180.0,
        meaning="Degrees between neighbouring facets beyond which their common edge is a border.",
    )  # fmt: skip

    @classmethod
    def picked(cls, model: FeModel, skin: Skin, facet: int, angle: float = 30.0) -> "GrownSelection":
        """Return the selection that starts at a facet of the skin."""
        element, face = names_of_facets(model, skin, [facet])[0]
        return cls(element=element, face=face, angle=angle)

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the grown surface.

        Raises:
            ModelError: when there is no such element, or its face is not exterior.
        """
        seed = facet_number(model, skin, self.element, self.face)
        if seed < 0:
            raise ModelError(
                f"Face S{self.face} of element {self.element} is not on the outside of the body.",
                "Start the growth at a facet that can be seen.",
            )
        return skin.chosen(skin.grow(seed, self.angle), self.describe())

    def in_words(self, part_of: Callable[[int], str]) -> str:
        """Return the part, and the facet from which the surface grows."""
        name = part_of(self.element)
        return f"{name}, smooth face at element {self.element}" if name else self.describe()

    def describe(self) -> str:
        """Return the starting facet and the limiting angle as text."""
        return f"grown from element {self.element} S{self.face}, {self.angle:g}°"
