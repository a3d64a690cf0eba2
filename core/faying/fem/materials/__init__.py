"""Materials that a user assigns to elements of a deck. A member is one file: a class with a `material`.

Mesh files (Gmsh, VTK, UNV, MED) contain no materials, and decks do not always contain the right ones.
"""

from abc import abstractmethod

from faying.fem.model import Material
from faying.params import Member, parameter
from faying.registry import Registry
from faying.units import UnitSystemName

material_choices: Registry[type["MaterialChoice"]] = Registry("material", __name__)


class MaterialChoice(Member):
    """A material and the elements to which it is assigned."""

    element_set: str = parameter(
        "", title="Element set", choices="element_set",
        meaning="The elements that get the material, whatever the deck gives them; empty for all elements to which the "
        "deck gives none.",
    )  # fmt: skip

    @abstractmethod
    def material(self, units: UnitSystemName) -> Material:
        """Return the material in a unit system."""
