"""Nodal forces of a pressure on a surface."""

import numpy as np

from faying.fem.facets import FacetKind, facet_kind
from faying.fem.quadrature import gauss_line
from faying.fem.surface import Surface


def pressure_forces(surface: Surface, nodes: np.ndarray) -> np.ndarray:
    """Return (n, 3) consistent nodal forces of a unit pressure that presses on the surface: −∫ N n dA.

    Args:
        surface: its facets; normals point out of the body.
        nodes: (n, 3) coordinates of all nodes of the model.
    """
    forces = np.zeros_like(nodes, dtype=float)
    for block in surface.blocks:
        kind = facet_kind(block.facet)
        for (xi, eta), weight in _points(kind):
            # The normal ∂X/∂ξ × ∂X/∂η has the length of the area element.
            normals = kind.normals(nodes[block.connectivity], np.asarray(xi), np.asarray(eta))
            shape = kind.shape(np.asarray(xi), np.asarray(eta))
            np.add.at(forces, block.connectivity, -weight * shape[None, :, None] * normals[:, None, :])
    return forces


def _points(kind: FacetKind) -> list[tuple[tuple[float, float], float]]:
    """Return points and weights, exact to degree 4 on triangles and 5 per direction on quadrilaterals."""
    rule = gauss_line(3)
    line = list(zip(rule.points[:, 0].tolist(), rule.weights.tolist(), strict=True))
    if kind.n_corners == 4:
        return [((x, y), v * w) for x, v in line for y, w in line]
    # A square folded to the triangle: ξ = a, η = (1 − a) b with a and b from 0 to 1.
    found = []
    for x, v in line:
        for y, w in line:
            a, b = 0.5 * (1.0 + x), 0.5 * (1.0 + y)
            found.append(((a, (1.0 - a) * b), 0.25 * v * w * (1.0 - a)))
    return found
