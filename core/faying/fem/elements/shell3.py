"""The three-node shell MITC3 (S3, CTRIA3)."""

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.quadrature import triangle_rule
from faying.fem.shell_element import ShellElement, both_sides


@element_kinds.register("shell3")
class Shell3(ShellElement):
    """MITC3: tangential shear strains are constant along each edge (Lee and Bathe 2004)."""

    labels = ("S3", "S3R", "CTRIA3")
    n_nodes = 3
    vtk_type = 5
    vtk_order = (0, 1, 2)
    facet = facet_kind("tri3")
    facets = ("tri3", "tri3")
    faces = both_sides("tri3")
    rule = triangle_rule(2)
    full_rule = triangle_rule(2)
    tying_points = np.array([(0.5, 0.0), (0.0, 0.5), (0.5, 0.5)])
    softening = 0.1

    @classmethod
    def shear_interpolation(cls, points: np.ndarray) -> np.ndarray:
        """Return (q, 2, 3, 2): e_ξt + c η and e_ηt - c ξ, with c such that the third edge is constant too."""
        xi, eta = points.T
        # c = e_ηt(2) - e_ξt(1) - e_ηt(3) + e_ξt(3)
        c = np.zeros((3, 2))
        c[1, 1], c[0, 0], c[2, 1], c[2, 0] = 1.0, -1.0, -1.0, 1.0
        made = np.zeros((len(points), 2, 3, 2))
        made[:, 0, 0, 0] = made[:, 1, 1, 1] = 1.0
        made[:, 0] += eta[:, None, None] * c
        made[:, 1] -= xi[:, None, None] * c
        return made
