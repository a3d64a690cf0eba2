"""The quadratic hexahedron, fully integrated (C3D20)."""

from typing import ClassVar

from faying.fem import element_topology as topology
from faying.fem.elements import element_kinds
from faying.fem.polynomials import NodalPolynomials
from faying.fem.quadrature import QuadratureRule, gauss_hexahedron
from faying.fem.solid_element import SolidElement

_SERENDIPITY = [
    (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 1, 0), (0, 1, 1), (1, 0, 1),
    (2, 1, 0), (1, 2, 0), (0, 2, 1), (0, 1, 2), (1, 0, 2), (2, 0, 1), (1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2),
]  # fmt: skip


@element_kinds.register("hex20")
class Hex20(SolidElement):
    """Twenty nodes, 3 × 3 × 3 points."""

    labels = ("C3D20",)
    n_nodes = 20
    vtk_type = 25
    vtk_order = tuple(range(20))
    faces = topology.with_midsides(topology.HEXAHEDRON_FACES, topology.HEXAHEDRON_EDGES, 8)
    facets = ("quad8",) * 6
    polynomials = NodalPolynomials(
        _SERENDIPITY, topology.midside_coordinates(topology.HEXAHEDRON_CORNERS, topology.HEXAHEDRON_EDGES), 8
    )
    stiffness_rule: ClassVar[QuadratureRule] = gauss_hexahedron(3)
    mass_rule: ClassVar[QuadratureRule] = gauss_hexahedron(3)
    # Where the stresses of quadratic elements are most accurate (Barlow 1976).
    stress_rule: ClassVar[QuadratureRule] = gauss_hexahedron(2)
