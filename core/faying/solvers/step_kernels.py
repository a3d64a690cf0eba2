"""What the compiled step of a system needs of its scheme and its matrix, as kernels (`faying.compiled`)."""

import numpy as np

from faying.compiled import compiled


@compiled(reorder=False)
def lagrange_weight(times: np.ndarray, points: int, k: int, time: float) -> float:
    """Return the weight at a time of point k of the polynomial through the first points at given times."""
    weight = 1.0
    for i in range(points):
        if i != k:
            weight *= (time - times[i]) / (times[k] - times[i])
    return weight


@compiled(reorder=False)
def extrapolate(found: np.ndarray, values: np.ndarray, times: np.ndarray, points: int, time: float) -> None:
    """Write the unknowns at a time (`faying.solvers.integrators._extrapolation.Extrapolation.at`).

    Args:
        found: (n + m,) see above.
        values, times: (4, n + m) and (k,) of the last steps, newest first; k grows to four.
        points: of the polynomial.
        time: see above.
    """
    for k in range(points):
        weight = lagrange_weight(times, points, k, time)
        for i in range(len(found)):
            found[i] = weight * values[k, i] if k == 0 else found[i] + weight * values[k, i]


@compiled(reorder=False)
def best_points(
    found: np.ndarray, values: np.ndarray, times: np.ndarray, time: float, weights: np.ndarray
) -> int:
    """Return through how many points the polynomial predicts the unknowns at a time best.

    Args:
        found: (n + m,) these unknowns.
        values, times: as of `extrapolate`.
        time: see above.
        weights: (n,) of the first unknowns in the error.
    """
    best, least = 1, np.inf
    for points in range(1, len(times) + 1):
        error = 0.0
        for i in range(len(weights)):
            missed = -found[i]
            for k in range(points):
                missed += lagrange_weight(times, points, k, time) * values[k, i]
            error += (missed * weights[i]) ** 2
        if error < least:
            best, least = points, error
    return best


@compiled(reorder=False)
def substitute(x: np.ndarray, factor: np.ndarray, pivots: np.ndarray) -> None:
    """Replace a right side (k,) by the solution, with factors (k, k) and pivots (k,) of LAPACK, columns first."""
    size = len(x)
    for i in range(size):
        x[i], x[pivots[i]] = x[pivots[i]], x[i]
    for j in range(size):
        own = x[j]
        if own != 0.0:
            for i in range(j + 1, size):
                x[i] -= own * factor[i, j]
    for j in range(size - 1, -1, -1):
        x[j] /= factor[j, j]
        own = x[j]
        for i in range(j):
            x[i] -= own * factor[i, j]


@compiled(reorder=False)
def weighted_norm(x: np.ndarray, weights: np.ndarray, factor: float) -> float:
    """Return the norm of the first components of a vector times weights (n,) and a factor."""
    square = 0.0
    for i in range(len(weights)):
        square += (weights[i] * (factor * x[i])) ** 2
    return float(np.sqrt(square))
