"""The linear tetrahedron (C3D4)."""

from faying.fem import element_topology as topology
from faying.fem.elements import element_kinds
from faying.fem.polynomials import NodalPolynomials
from faying.fem.quadrature import tetrahedron_rule
from faying.fem.solid_element import SolidElement


@element_kinds.register("tet4")
class Tet4(SolidElement):
    """Four nodes, constant strain; too stiff in bending, so suited to compact solids rather than thin walls."""

    labels = ("C3D4",)
    n_nodes = 4
    vtk_type = 10
    vtk_order = (0, 1, 2, 3)
    faces = topology.TETRAHEDRON_FACES
    facets = ("tri3",) * 4
    polynomials = NodalPolynomials(
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], topology.TETRAHEDRON_CORNERS, 1
    )
    stiffness_rule = tetrahedron_rule(1)
    mass_rule = tetrahedron_rule(2)
    stress_rule = tetrahedron_rule(1)
