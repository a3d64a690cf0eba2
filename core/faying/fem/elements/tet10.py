"""The quadratic tetrahedron (C3D10)."""

from faying.fem import element_topology as topology
from faying.fem.elements import element_kinds
from faying.fem.polynomials import NodalPolynomials
from faying.fem.quadrature import tetrahedron_rule
from faying.fem.solid_element import SolidElement

_EXPONENTS = [
    (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1),
    (2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 1, 0), (0, 1, 1), (1, 0, 1),
]  # fmt: skip


@element_kinds.register("tet10")
class Tet10(SolidElement):
    """Ten nodes, linear strain; four points for stiffness, fourteen for mass.

    Abaqus's modified tetrahedron C3D10M, made for its contact with consistent weights, is read as this element; so is
    its hybrid variant C3D10MH, which meshio writes for every quadratic tetrahedron. With four points the stiffness has
    full rank and is exact for straight edges; the mass needs degree 4, since it is singular or indefinite with fewer
    points.
    """

    labels = ("C3D10", "C3D10M", "C3D10MH")
    n_nodes = 10
    vtk_type = 24
    vtk_order = tuple(range(10))
    faces = topology.with_midsides(topology.TETRAHEDRON_FACES, topology.TETRAHEDRON_EDGES, 4)
    facets = ("tri6",) * 4
    polynomials = NodalPolynomials(
        _EXPONENTS, topology.midside_coordinates(topology.TETRAHEDRON_CORNERS, topology.TETRAHEDRON_EDGES), 1
    )
    stiffness_rule = tetrahedron_rule(2)
    mass_rule = tetrahedron_rule(5)
    stress_rule = tetrahedron_rule(2)
