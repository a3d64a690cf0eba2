"""A few points spread over many, so that marks at them show all of a surface."""

import numpy as np


def spread(points: np.ndarray, middle: np.ndarray, most: int) -> np.ndarray:
    """Return (m,) rows of at most `most` points, each as far from those before as can be.

    Args:
        points: (n, 3), at least one.
        middle: (3,); the first chosen point is the farthest from it.
        most: number of points.
    """
    chosen = [int(np.argmax(np.linalg.norm(points - middle, axis=1)))]
    away = np.linalg.norm(points - points[chosen[0]], axis=1)
    while len(chosen) < min(most, len(points)):
        chosen.append(int(np.argmax(away)))
        away = np.minimum(away, np.linalg.norm(points - points[chosen[-1]], axis=1))
    return np.array(chosen)
