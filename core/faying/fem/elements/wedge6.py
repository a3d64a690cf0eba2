"""The linear wedge (C3D6)."""

from faying.fem import element_topology as topology
from faying.fem.elements import element_kinds
from faying.fem.polynomials import NodalPolynomials
from faying.fem.quadrature import wedge_rule
from faying.fem.solid_element import SolidElement


@element_kinds.register("wedge6")
class Wedge6(SolidElement):
    """Six nodes, linear over the triangle and along the height, 3 × 2 points.

    Too stiff in bending, like the linear tetrahedron; use it only to connect better elements.
    """

    labels = ("C3D6",)
    n_nodes = 6
    vtk_type = 13
    vtk_order = tuple(range(6))
    faces = topology.WEDGE_FACES
    facets = ("tri3", "tri3", "quad4", "quad4", "quad4")
    polynomials = NodalPolynomials(
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)], topology.WEDGE_CORNERS, 2
    )
    stiffness_rule = wedge_rule(2, 2)
    mass_rule = wedge_rule(4, 3)
    stress_rule = wedge_rule(2, 2)
