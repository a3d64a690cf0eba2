"""The textbook trilinear hexahedron with 2 × 2 × 2 Gauss points."""

from faying.fem.elements import element_kinds
from faying.fem.elements._hexahedron import Hexahedron8


@element_kinds.register("hex8_full")
class Hex8Full(Hexahedron8):
    """Fully integrated; locks in bending and in nearly incompressible materials.

    It equals CalculiX's C3D8. Since C3D8 means another element in Abaqus, the label "C3D8F" is defined by Faying, for
    comparison with CalculiX and textbooks.
    """

    labels = ("C3D8F",)
