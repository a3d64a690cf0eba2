"""Whether surfaces are seen from outside only, so that the half of them that looks away need not be drawn."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


def is_closed(triangles: np.ndarray, points: np.ndarray) -> bool:
    """Return whether triangles enclose one or several bodies without a hole, all turned outwards.

    A body with a cavity counts as open: its inner surface cannot be told from a body that is turned inside out.

    Args:
        triangles: (t, 3) rows of `points`, counter-clockwise seen from outside.
        points: (n, 3).
    """
    if not len(triangles):
        return False
    # Each edge is run through once in either direction.
    start, end = triangles.ravel().astype(np.int64), np.roll(triangles, -1, axis=1).ravel().astype(np.int64)
    n = len(points)
    if not np.array_equal(np.sort(start * n + end), np.sort(end * n + start)):
        return False
    graph = coo_array((np.ones(len(start), np.int8), (start, end)), shape=(n, n))
    _, body = connected_components(graph, directed=False)
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    volumes = np.bincount(body[triangles[:, 0]], np.einsum("ij,ij->i", a, np.cross(b, c)))
    return bool((volumes[np.unique(body[triangles[:, 0]])] > 0.0).all())
