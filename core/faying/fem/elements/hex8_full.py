"""The textbook trilinear hexahedron with 2 × 2 × 2 Gauss points."""

from faying.fem.elements import element_kinds
from faying.fem.elements._hexahedron import Hexahedron8


@element_kinds.register("hex8_full")
class Hex8Full(Hexahedron8):
    """Fully integrated everywhere; locks in bending and when nearly incompressible.

    No commercial code has it under a name of its own, so "C3D8F" is ours: for comparing numbers with
    textbooks and programs that integrate plainly.
    """

    labels = ("C3D8F",)
