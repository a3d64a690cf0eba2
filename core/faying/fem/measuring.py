"""Distances, angles and radii on a body's surface, as measured with the pointer."""

from dataclasses import dataclass

import numpy as np

from faying.errors import ModelError
from faying.fem.facets import facet_kind
from faying.fem.surface import Surface

_ROUND = 0.05  # largest distance of corners from a cylinder, relative to its radius
_FLAT = 0.02  # largest distance of corners from a plane, relative to the face's size
_STRAIGHT, _CORNER = (
    1.0,
    40.0,
)  # angles between border edges (degrees): one line up to the first, two lines from the second on


@dataclass(frozen=True, eq=False)
class Cylinder:
    """A cylinder through points of a face.

    Attributes:
        centre: (3,) on the axis, half way along the face.
        axis: (3,) unit vector.
        radius: its radius.
        miss: largest distance of a point from the cylinder.
    """

    centre: np.ndarray
    axis: np.ndarray
    radius: float
    miss: float


def angle_at(vertex: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    """Return the angle in degrees (0 to 180) at a vertex (3,) between the lines to two other points (3,).

    Raises:
        ModelError: when a point is at the vertex.
    """
    return angle_between(np.asarray(first) - vertex, np.asarray(second) - vertex)


def angle_between(first: np.ndarray, second: np.ndarray) -> float:
    """Return the angle in degrees (0 to 180) between two vectors (3,).

    Raises:
        ModelError: when one of them has no length.
    """
    if not np.linalg.norm(first) or not np.linalg.norm(second):
        raise ModelError("Two of the points are one.", "Click three different points.")
    # Use the tangent: the cosine is insensitive near 0 and 180 degrees.
    across = float(np.linalg.norm(np.cross(first, second)))
    return float(np.degrees(np.arctan2(across, float(np.dot(first, second)))))


def normal_of_plane(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Return the unit normal (3,) of a flat face.

    Args:
        points: (n, 3) of the face.
        normals: (m, 3) unit normals of its facets.

    Raises:
        ModelError: when the points are not coplanar.
    """
    middle = points.mean(axis=0)
    mean = normals.sum(axis=0)
    normal = np.linalg.svd(points - middle, full_matrices=False)[2][-1] if len(points) > 3 else mean
    normal = normal / np.linalg.norm(normal)
    extent = float(np.linalg.norm(np.ptp(points, axis=0)))
    if np.abs((points - middle) @ normal).max() > _FLAT * extent:
        raise ModelError("This face is not flat.", "Choose two flat faces, or measure at three points.")
    return np.asarray(normal if normal @ mean >= 0.0 else -normal)


def find_cylinder(points: np.ndarray, normals: np.ndarray) -> Cylinder:
    """Return the cylinder through a round face, from normals perpendicular to its axis and points on a circle.

    Args:
        points: (n, 3) nodes of the face.
        normals: (m, 3) unit normals of its facets.

    Raises:
        ModelError: when the face is flat, or its points do not lie on a cylinder.
    """
    refused = ModelError(
        "This face is no cylinder.",
        "Click the inside of a hole or the outside of a shaft, or measure a distance.",
    )
    spread, axes = np.linalg.eigh(normals.T @ normals / len(normals))
    # A flat face has a single normal. A cylinder's normals span a plane, even for an arc of a few degrees.
    if spread[1] < 1e-3:
        raise refused
    axis, first, second = axes[:, 0], axes[:, 1], axes[:, 2]
    middle = points.mean(axis=0)
    x, y = (points - middle) @ first, (points - middle) @ second
    # Kåsa's circle (1976): x² + y² = 2 a x + 2 b y + c, linear in a, b and c.
    (a, b, c), *_ = np.linalg.lstsq(np.column_stack([2 * x, 2 * y, np.ones(len(x))]), x**2 + y**2, rcond=None)
    radius = float(np.sqrt(max(c + a**2 + b**2, 0.0)))
    miss = float(np.abs(np.hypot(x - a, y - b) - radius).max())
    if not radius or miss > _ROUND * radius:
        raise refused
    along = (points - middle) @ axis
    centre = middle + a * first + b * second + 0.5 * (along.min() + along.max()) * axis
    return Cylinder(centre, axis, radius, miss)


def find_sphere(points: np.ndarray) -> tuple[np.ndarray, float]:
    """Return centre (3,) and radius of the ball through points (n, 3) of a face.

    Raises:
        ModelError: when they do not lie on a ball.
    """
    middle = points.mean(axis=0)
    away = points - middle
    # As Kåsa's circle: |x|² = 2 c·x + d, linear in c and d.
    (*centre, rest), *_ = np.linalg.lstsq(
        np.column_stack([2 * away, np.ones(len(away))]), (away**2).sum(axis=1), rcond=None
    )
    radius = float(np.sqrt(max(rest + np.dot(centre, centre), 0.0)))
    miss = float(np.abs(np.linalg.norm(away - centre, axis=1) - radius).max())
    if not radius or miss > _ROUND * radius:
        raise ModelError("This face is no part of a ball.", "Click a ball or its socket.")
    return middle + centre, radius


def direction_of_edge(surface: Surface, nodes: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return the unit direction (3,) of the straight edge of a face nearest to a point; as `straight_edge`."""
    start, end = straight_edge(surface, nodes, place)
    return np.asarray((end - start) / np.linalg.norm(end - start))


def straight_edge(surface: Surface, nodes: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends (3,) of the straight edge of a face nearest to a point.

    Args:
        surface: the face.
        nodes: (n, 3) coordinates of all nodes.
        place: (3,) on the face.

    Raises:
        ModelError: when the face has no border there, or the border is curved.
    """
    corners = [
        block.connectivity[:, [corner, (corner + 1) % facet_kind(block.facet).n_corners]]
        for block in surface.blocks
        for corner in range(facet_kind(block.facet).n_corners)
    ]
    found, times = np.unique(np.sort(np.concatenate(corners), axis=1), axis=0, return_counts=True)
    border = found[times == 1]
    if not len(border):
        raise ModelError("The picked face is closed: it has no edge.", "Click a face near a straight edge.")
    along = nodes[border[:, 1]] - nodes[border[:, 0]]
    share = np.einsum("ij,ij->i", place - nodes[border[:, 0]], along) / np.einsum("ij,ij->i", along, along)
    foot = nodes[border[:, 0]] + np.clip(share, 0.0, 1.0)[:, None] * along
    nearest = int(np.argmin(np.linalg.norm(place - foot, axis=1)))
    first, second = (int(node) for node in border[nearest])
    start, end = _end_of_line(border, nodes, second, first), _end_of_line(border, nodes, first, second)
    return nodes[start], nodes[end]


def _end_of_line(border: np.ndarray, nodes: np.ndarray, before: int, at: int) -> int:
    """Return the node at the end of the line through two nodes; raises ModelError if it bends."""
    line = nodes[at] - nodes[before]
    while True:
        touching = border[(border == at).any(axis=1)]
        ahead = [int(node) for node in touching[touching != at] if node != before]
        turns = [angle_between(line, nodes[node] - nodes[at]) for node in ahead]
        turn = min(turns, default=180.0)
        if turn >= _CORNER:
            return at
        if turn > _STRAIGHT:
            raise ModelError("The nearest edge of the picked face is round.", "Click near a straight one.")
        before, at = at, ahead[turns.index(turn)]
