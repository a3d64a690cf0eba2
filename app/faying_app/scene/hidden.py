"""Whether a node of the body can be seen, or lies behind it or in what a section leaves out."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from faying_app.scene.cutting import PlaneInSpace

Sight = Literal["", "behind", "cut away"]
_NEAR = 1e-3  # of the body's size: a facet at the node itself hides nothing


def sight_of(
    point: np.ndarray,
    triangles: np.ndarray,
    positions: np.ndarray,
    axes: np.ndarray,
    planes: Sequence[PlaneInSpace] = (),
) -> Sight:
    """Return "" for a point that is seen, or why it is not.

    Args:
        point: (3,) of it.
        triangles: (t, 3) the skin's, as rows of the nodes.
        positions: (n, 3) of the nodes.
        axes: (3, 3) unit vectors in rows: right, up, towards the camera.
        planes: of sections, whose normals point to what they leave.
    """
    size = float(np.linalg.norm(np.ptp(positions, axis=0))) if len(positions) else 0.0
    if any((point - plane.origin) @ plane.normal < -_NEAR * size for plane in planes):
        return "cut away"
    # Seen along the line of sight the point is the origin; a triangle round it that is nearer hides it.
    x, y, near = axes @ (positions - point).T
    across, along = x[triangles], y[triangles]
    around = (across.min(axis=1) <= 0.0) & (across.max(axis=1) >= 0.0)
    around &= (along.min(axis=1) <= 0.0) & (along.max(axis=1) >= 0.0)
    (ax, bx, cx), (ay, by, cy) = across[around].T, along[around].T
    shares = np.array([bx * cy - cx * by, cx * ay - ax * cy, ax * by - bx * ay])
    area = shares.sum(axis=0)
    inside = (area != 0.0) & ((shares >= 0.0).all(axis=0) | (shares <= 0.0).all(axis=0))
    heights = (shares[:, inside] / area[inside] * near[triangles[around][inside]].T).sum(axis=0)
    hits = point + heights[heights > _NEAR * size, None] * axes[2]
    for plane in planes:
        hits = hits[(hits - plane.origin) @ plane.normal > 0.0]
    return "behind" if len(hits) else ""
