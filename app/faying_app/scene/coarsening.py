"""Coarse surfaces out of some of the nodes of fine ones, for pictures that follow each other quickly."""

import numpy as np


def coarse_triangles(triangles: np.ndarray, points: np.ndarray, wanted: int) -> np.ndarray:
    """Return triangles (c, 3), about as many as wanted, whose corners are corners of the given ones.

    Nodes in the same cell of a regular grid whose normals point roughly in the same direction become one of them: both
    sides of a thin plate stay apart, and results at nodes can be drawn on the coarse triangles too.

    Args:
        triangles: (t, 3) rows of `points`.
        points: (n, 3).
        wanted: number of triangles that a flat surface of the same area gets.
    """
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = 0.5 * float(np.linalg.norm(normals, axis=1).sum())
    if not len(triangles) or area <= 0.0:
        return triangles
    # A cell is crossed by two triangles.
    cell = np.sqrt(2.0 * area / wanted)
    places = ((points - points.min(axis=0)) / cell).astype(np.int64)
    counts = places.max(axis=0) + 1
    summed = np.stack(
        [np.bincount(triangles.ravel(), np.repeat(normals[:, axis], 3), len(points)) for axis in range(3)],
        axis=1,
    )
    side = _facing(summed)
    cluster = ((places[:, 0] * counts[1] + places[:, 1]) * counts[2] + places[:, 2]) * 6 + side
    used = np.unique(triangles)
    _, inside = np.unique(cluster[used], return_inverse=True)
    chosen = np.empty(len(points), np.int64)
    chosen[used] = used[_nearest_to_middle(points[used], inside)[inside]]
    found = chosen[triangles]
    a, b, c = found.T
    return _outward(found[(a != b) & (b != c) & (c != a)], points, summed)


def _facing(normals: np.ndarray) -> np.ndarray:
    """Return the direction (n,) from 0 to 5 (+x, +y, +z, -x, …) that normals (n, 3) mostly look in."""
    main = np.abs(normals).argmax(axis=1)
    return np.asarray(main + 3 * (np.take_along_axis(normals, main[:, None], axis=1)[:, 0] < 0.0))


def _outward(triangles: np.ndarray, points: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Return the triangles turned as the normals (n, 3) at their corners look, each of them once."""
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    turned = np.einsum("ij,ij->i", np.cross(b - a, c - a), normals[triangles].sum(axis=1)) < 0.0
    found = np.where(turned[:, None], triangles[:, ::-1], triangles)
    # The smallest corner first: then equal triangles have equal rows, and both sides of a sheet stay two.
    turns = (found.argmin(axis=1)[:, None] + np.arange(3)) % 3
    return np.asarray(np.unique(np.take_along_axis(found, turns, axis=1), axis=0))


def _nearest_to_middle(points: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Return for each cluster the row of the point that is nearest to the mean of its points."""
    counts = np.bincount(inside)
    means = np.stack([np.bincount(inside, points[:, axis]) / counts for axis in range(3)], axis=1)
    order = np.lexsort((((points - means[inside]) ** 2).sum(axis=1), inside))
    return np.asarray(order[np.concatenate([[0], np.cumsum(counts)[:-1]])])
