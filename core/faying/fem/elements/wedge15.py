"""The quadratic wedge (C3D15)."""

from faying.fem import element_topology as topology
from faying.fem.elements import element_kinds
from faying.fem.polynomials import NodalPolynomials
from faying.fem.quadrature import wedge_rule
from faying.fem.solid_element import SolidElement

# Products of quadratic functions on the triangle and linear ones along the height, and of linear and quadratic ones.
_EXPONENTS = [
    (0, 0, 0), (1, 0, 0), (0, 1, 0), (2, 0, 0), (1, 1, 0), (0, 2, 0),
    (0, 0, 1), (1, 0, 1), (0, 1, 1), (2, 0, 1), (1, 1, 1), (0, 2, 1),
    (0, 0, 2), (1, 0, 2), (0, 1, 2),
]  # fmt: skip


@element_kinds.register("wedge15")
class Wedge15(SolidElement):
    """Fifteen nodes; 3 × 3 points for the stiffness as in Abaqus, 6 × 3 for the mass."""

    labels = ("C3D15",)
    n_nodes = 15
    vtk_type = 26
    vtk_order = tuple(range(15))
    faces = topology.with_midsides(topology.WEDGE_FACES, topology.WEDGE_EDGES, 6)
    facets = ("tri6", "tri6", "quad8", "quad8", "quad8")
    polynomials = NodalPolynomials(
        _EXPONENTS, topology.midside_coordinates(topology.WEDGE_CORNERS, topology.WEDGE_EDGES), 2
    )
    stiffness_rule = wedge_rule(2, 3)
    mass_rule = wedge_rule(4, 3)
    stress_rule = wedge_rule(2, 2)
