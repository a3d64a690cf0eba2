"""The linear pyramid (C3D5)."""

from faying.fem import element_topology as topology
from faying.fem.elements import element_kinds
from faying.fem.polynomials import NodalPolynomials
from faying.fem.quadrature import collapsed_rule
from faying.fem.solid_element import SolidElement


@element_kinds.register("pyramid5")
class Pyramid5(SolidElement):
    """Five nodes: bilinear on the base, linear on the triangles, 2 × 2 × 2 points.

    Local coordinates (a, b, s) are collapsed: s runs from -1 at the base to 0 at the apex, where all a and b are the
    same point. In them the rational functions compatible with hexahedra and tetrahedra (Bedrosian 1992) are
    polynomials. All integration points are inside, where the Jacobian does not vanish.
    """

    labels = ("C3D5",)
    n_nodes = 5
    vtk_type = 14
    vtk_order = tuple(range(5))
    faces = topology.PYRAMID_FACES
    facets = ("quad4", "tri3", "tri3", "tri3", "tri3")
    polynomials = NodalPolynomials(
        [(0, 0, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1)], topology.PYRAMID_CORNERS, 4
    )
    stiffness_rule = collapsed_rule(2)
    mass_rule = collapsed_rule(3)
    stress_rule = collapsed_rule(2)
