"""The quadratic pyramid with thirteen nodes."""

import numpy as np

from faying.fem import element_topology as topology
from faying.fem.elements import element_kinds
from faying.fem.polynomials import NodalPolynomials
from faying.fem.quadrature import collapsed_rule
from faying.fem.solid_element import SolidElement

# All quadratic polynomials, and three functions that are rational in Cartesian coordinates (Bedrosian 1992).
_EXPONENTS = [
    (0, 0, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 2), (1, 0, 2), (0, 1, 2), (2, 0, 2), (1, 1, 2), (0, 2, 2),
    (1, 1, 1), (2, 1, 2), (1, 2, 2),
]  # fmt: skip


def _collapsed_nodes() -> np.ndarray:
    """Return (13, 3) the nodes in collapsed coordinates; a and b are constant along edges to the apex."""
    nodes = topology.midside_coordinates(topology.PYRAMID_CORNERS, topology.PYRAMID_EDGES)
    nodes[9:, :2] *= 2.0
    return nodes


@element_kinds.register("pyramid13")
class Pyramid13(SolidElement):
    """Thirteen nodes, 3 × 3 × 3 points, in the collapsed coordinates of `pyramid5`.

    It is compatible with quadratic hexahedra, wedges and tetrahedra. Abaqus has no such element, so the label "C3D13"
    is defined by Faying; the element occurs in Nastran, Ansys, Gmsh and VTK.
    """

    labels = ("C3D13",)
    n_nodes = 13
    vtk_type = 27
    vtk_order = tuple(range(13))
    faces = topology.with_midsides(topology.PYRAMID_FACES, topology.PYRAMID_EDGES, 5)
    facets = ("quad8", "tri6", "tri6", "tri6", "tri6")
    polynomials = NodalPolynomials(_EXPONENTS, _collapsed_nodes(), 4)
    stiffness_rule = collapsed_rule(3)
    mass_rule = collapsed_rule(3)
    stress_rule = collapsed_rule(2)
