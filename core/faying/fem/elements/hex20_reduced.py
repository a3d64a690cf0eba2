"""The quadratic hexahedron with reduced integration (C3D20R)."""

from faying.fem.elements import element_kinds
from faying.fem.elements.hex20 import Hex20
from faying.fem.quadrature import gauss_hexahedron


@element_kinds.register("hex20_reduced")
class Hex20Reduced(Hex20):
    """Twenty nodes, 2 × 2 × 2 points for the stiffness: more flexible and more accurate in bending.

    A single element has six zero-energy modes. They vanish if elements are adjacent in two directions, but a bar one
    element thick in both directions keeps one per element even when clamped (its stiffness is singular): mesh it two
    elements wide, or use `hex20`. The mass is integrated with 3 × 3 × 3 points.
    """

    labels = ("C3D20R",)
    stiffness_rule = gauss_hexahedron(2)
