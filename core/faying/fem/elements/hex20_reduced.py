"""The quadratic hexahedron with reduced integration (C3D20R)."""

from faying.fem.elements import element_kinds
from faying.fem.elements.hex20 import Hex20
from faying.fem.quadrature import gauss_hexahedron


@element_kinds.register("hex20_reduced")
class Hex20Reduced(Hex20):
    """Twenty nodes, 2 × 2 × 2 points for the stiffness: softer and better in bending.

    Six patterns of one element alone cost no energy; two elements that share a face do not all have them
    in common, but a single row of elements needs more than a minimal support. The mass has 3 × 3 × 3 points.
    """

    labels = ("C3D20R",)
    stiffness_rule = gauss_hexahedron(2)
