"""The six-node shell (STRI65, S6, CTRIA6)."""

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.quadrature import triangle_rule
from faying.fem.shell_element import ShellElement, both_sides


@element_kinds.register("shell6")
class Shell6(ShellElement):
    """Quadratic triangle with shear strains interpolated linearly from its three integration points."""

    labels = ("STRI65", "S6", "CTRIA6")
    n_nodes = 6
    vtk_type = 22
    vtk_order = (0, 1, 2, 3, 4, 5)
    facet = facet_kind("tri6")
    facets = ("tri6", "tri6")
    faces = both_sides("tri6")
    rule = triangle_rule(2)
    full_rule = triangle_rule(4)
    tying_points = triangle_rule(2).points
    softening = 0.05

    @classmethod
    def shear_interpolation(cls, points: np.ndarray) -> np.ndarray:
        """Return (3, 2, 3, 2): the integration points are the tying points."""
        return np.asarray(np.einsum("qm,cd->qcmd", np.eye(3), np.eye(2)))
