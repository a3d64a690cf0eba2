"""The eight-node shell (S8, S8R, CQUAD8)."""

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.quadrature import gauss_square
from faying.fem.shell_element import ShellElement, both_sides


@element_kinds.register("shell8")
class Shell8(ShellElement):
    """Serendipity shell with selective integration: shear strains are interpolated from the 2 × 2 Gauss points.

    In-plane strains are fully integrated, so that there are no zero-energy modes; the uniformly reduced S8R of Abaqus
    and CalculiX is read as this element.
    """

    labels = ("S8", "S8R", "CQUAD8")
    n_nodes = 8
    vtk_type = 23
    vtk_order = (0, 1, 2, 3, 4, 5, 6, 7)
    facet = facet_kind("quad8")
    facets = ("quad8", "quad8")
    faces = both_sides("quad8")
    rule = gauss_square(3)
    full_rule = gauss_square(3)
    tying_points = gauss_square(2).points
    softening = 0.01

    @classmethod
    def shear_interpolation(cls, points: np.ndarray) -> np.ndarray:
        """Return (q, 2, 4, 2): bilinear interpolation from the tying points."""
        signs = np.sign(cls.tying_points)
        values = np.prod(1.0 + np.sqrt(3.0) * signs * points[:, None, :], axis=2) / 4.0
        return np.asarray(np.einsum("qm,cd->qcmd", values, np.eye(2)))
