"""Normals that make curved faces look smooth: averaged at corners within a smooth face, apart at sharp edges."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

# Triangles that meet at more than this angle (degrees) meet at a sharp edge.
FEATURE_ANGLE = 30.0
_MOST_AT_AN_EDGE = 4  # triangles: two on each side of a shell


def split_at_sharp_edges(
    triangles: np.ndarray, points: np.ndarray, angle: float = FEATURE_ANGLE
) -> tuple[np.ndarray, np.ndarray]:
    """Return triangles whose corners are shared within smooth faces only, and the former point of each new one.

    Args:
        triangles: (t, 3) rows of `points`.
        points: (n, 3).
        angle: from which on an edge is sharp (degrees).

    Returns:
        (t, 3) rows of new points, and (m,) rows of `points` that the new ones lie on.
    """
    t = len(triangles)
    if not t:
        return triangles, np.zeros(0, np.int64)
    normals = _normals(triangles, points)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    # Each side of a triangle, from its corner to the next one; equal sides come together by sorting.
    corner = np.arange(3 * t).reshape(t, 3)
    begin, end = corner.ravel(), np.roll(corner, -1, axis=1).ravel()
    flat = triangles.ravel()
    low, high = np.minimum(flat[begin], flat[end]), np.maximum(flat[begin], flat[end])
    key = low.astype(np.int64) * len(points) + high
    order = np.argsort(key, kind="stable")
    pairs: list[np.ndarray] = []
    for step in range(1, _MOST_AT_AN_EDGE):
        one, other = order[:-step], order[step:]
        same = key[one] == key[other]
        one, other = one[same], other[same]
        cosine = np.einsum("ij,ij->i", normals[one // 3], normals[other // 3])
        # Triangles of one side run through their common edge in opposite directions.
        smooth = (cosine > np.cos(np.radians(angle))) & (flat[begin[one]] == flat[end[other]])
        one, other = one[smooth], other[smooth]
        pairs += [
            np.column_stack([begin[one], end[other]]),
            np.column_stack([end[one], begin[other]]),
        ]
    first, second = np.concatenate(pairs).T
    graph = coo_array((np.ones(len(first), np.int8), (first, second)), shape=(3 * t, 3 * t))
    count, label = connected_components(graph, directed=False)
    owners = np.zeros(count, np.int64)
    owners[label] = flat
    return label.reshape(t, 3).astype(np.int64), owners


def sharp_sides(welded: np.ndarray, split: np.ndarray) -> np.ndarray:
    """Return (m, 2) rows of points: sides of triangles at borders and sharp edges, each once.

    Args:
        welded: (t, 3) triangles whose neighbours share their corners.
        split: (t, 3) the same as `split_at_sharp_edges` returns them.
    """
    if not len(welded):
        return np.zeros((0, 2), np.int64)

    def sides(triangles: np.ndarray) -> np.ndarray:
        return np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)

    _, place, count = np.unique(sides(split), axis=0, return_inverse=True, return_counts=True)
    alone = count[place.ravel()] == 1
    return np.unique(sides(welded)[alone], axis=0)


def corner_normals(triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return (n, 3) unit normals at points: the mean of their triangles', weighted by area.

    Args:
        triangles: (t, 3) rows of `points`.
        points: (n, 3).
    """
    each = _normals(triangles, points)
    corners, n = triangles.ravel(), len(points)
    found = np.stack([np.bincount(corners, np.repeat(each[:, i], 3), n) for i in range(3)], axis=1)
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-300), np.float32)


def _normals(triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return (t, 3) normals of triangles, as long as twice their areas."""
    a, b, c = (np.asarray(points[triangles[:, i]], float) for i in range(3))
    return np.asarray(np.cross(b - a, c - a))
