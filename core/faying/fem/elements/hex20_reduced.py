"""The quadratic hexahedron with reduced integration (C3D20R)."""

from faying.fem.elements import element_kinds
from faying.fem.elements.hex20 import Hex20
from faying.fem.quadrature import gauss_hexahedron


@element_kinds.register("hex20_reduced")
class Hex20Reduced(Hex20):
    """Twenty nodes, 2 × 2 × 2 points for the stiffness: softer and better in bending.

    Six patterns of one element alone cost no energy. Elements that meet in two directions leave none of
    them, but a bar that is one element thick both ways keeps one per element even when clamped (its
    stiffness is singular): mesh it two elements wide, or take `hex20`. The mass has 3 × 3 × 3 points.
    """

    labels = ("C3D20R",)
    stiffness_rule = gauss_hexahedron(2)
