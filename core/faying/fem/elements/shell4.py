"""The four-node shell MITC4 (S4, S4R, CQUAD4)."""

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.quadrature import gauss_square
from faying.fem.shell_element import ShellElement, both_sides


@element_kinds.register("shell4")
class Shell4(ShellElement):
    """MITC4: tangential shear strains are constant along each edge (Dvorkin and Bathe 1984).

    The reduced S4R of Abaqus and CalculiX, with hourglass control, is read as this element.
    """

    labels = ("S4", "S4R", "CQUAD4")
    n_nodes = 4
    vtk_type = 9
    vtk_order = (0, 1, 2, 3)
    facet = facet_kind("quad4")
    facets = ("quad4", "quad4")
    faces = both_sides("quad4")
    rule = gauss_square(2)
    full_rule = gauss_square(2)
    tying_points = np.array([(0.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)])

    @classmethod
    def shear_interpolation(cls, points: np.ndarray) -> np.ndarray:
        """Return (q, 2, 4, 2)."""
        xi, eta = points.T
        made = np.zeros((len(points), 2, 4, 2))
        made[:, 0, 0, 0], made[:, 0, 1, 0] = (1.0 - eta) / 2.0, (1.0 + eta) / 2.0
        made[:, 1, 2, 1], made[:, 1, 3, 1] = (1.0 - xi) / 2.0, (1.0 + xi) / 2.0
        return made
