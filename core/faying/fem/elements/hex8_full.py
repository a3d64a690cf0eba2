"""The textbook trilinear hexahedron with 2 × 2 × 2 Gauss points."""

from faying.fem.elements import element_kinds
from faying.fem.elements._hexahedron import Hexahedron8


@element_kinds.register("hex8_full")
class Hex8Full(Hexahedron8):
    """Fully integrated everywhere; locks in bending and when nearly incompressible.

    It is CalculiX' C3D8, which Abaqus' decks mean by another name: so "C3D8F" is ours, for comparing numbers with
    CalculiX and textbooks.
    """

    labels = ("C3D8F",)
