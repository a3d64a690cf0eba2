"""Nodal forces of pressures and tractions on a surface."""

from collections.abc import Callable

import numpy as np

from faying.fem.facets import FacetKind, facet_kind
from faying.fem.quadrature import gauss_line
from faying.fem.surface import Surface

Traction = Callable[[np.ndarray, np.ndarray], np.ndarray]


def pressure_forces(surface: Surface, nodes: np.ndarray) -> np.ndarray:
    """Return (n, 3) consistent nodal forces of a unit pressure that presses on the surface: −∫ N n dA.

    Args:
        surface: its facets; normals point out of the body.
        nodes: (n, 3) coordinates of all nodes of the model.
    """
    return traction_forces(surface, nodes, lambda points, normals: -normals)


def traction_forces(surface: Surface, nodes: np.ndarray, traction: Traction) -> np.ndarray:
    """Return (n, 3) consistent nodal forces of a traction: ∫ N t dA.

    Args:
        surface: its facets; normals point out of the body.
        nodes: (n, 3) coordinates of all nodes of the model.
        traction: gives the force per area (m, 3) at points (m, 3) with outward unit normals (m, 3).
    """
    forces = np.zeros_like(nodes, dtype=float)
    for block in surface.blocks:
        kind, corners = facet_kind(block.facet), nodes[block.connectivity]
        for (xi, eta), weight in _points(kind):
            # The normal ∂X/∂ξ × ∂X/∂η has the length of the area element.
            normals = kind.normals(corners, np.asarray(xi), np.asarray(eta))
            shape, areas = kind.shape(np.asarray(xi), np.asarray(eta)), np.linalg.norm(normals, axis=1)
            units = normals / np.where(areas > 0.0, areas, 1.0)[:, None]
            load = (weight * areas)[:, None] * traction(np.einsum("k,nkx->nx", shape, corners), units)
            np.add.at(forces, block.connectivity, shape[None, :, None] * load[:, None, :])
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
