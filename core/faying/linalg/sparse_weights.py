"""Sparse non-negative least squares: a few columns with weights ≥ 0 that reproduce the sum of all columns."""

import numpy as np
import scipy.linalg as la

from faying.progress import Progress


def sparse_weights(
    columns: np.ndarray,
    tolerance: float,
    progress: Progress,
    most: int | None = None,
    size: float | None = None,
) -> np.ndarray:
    """Return (n,) weights ξ ≥ 0, few of them nonzero, with ‖G ξ − G 1‖ ≤ tolerance × size, by default ‖G 1‖.

    Columns enter one by one, that with the steepest descent of the residual first; a column whose weight would turn
    negative leaves again. This is the active-set method of Lawson and Hanson (1974, chapter 23), stopped at the
    tolerance (Farhat, Avery, Chapman and Cortial 2014, algorithm 1). Zero columns never enter.

    Args:
        columns: G (m, n).
        tolerance: of the residual.
        progress: reports and cancels.
        most: number of columns that may enter, by default all. If they do not suffice, the best weights so far are
            returned.
        size: norm that the residual is compared with.
    """
    n = columns.shape[1]
    most = n if most is None else min(most, n)
    target = columns.sum(axis=1)
    whole = float(np.linalg.norm(target))
    size = whole if size is None else size
    weights, used = np.zeros(n), np.zeros(n, bool)
    if whole == 0.0:
        return weights
    # Columns of all sizes compete equally: the steepest descent is judged along unit columns.
    lengths = np.linalg.norm(columns, axis=0)
    scale = np.where(lengths > 0.0, lengths, np.inf)
    residual, barred = target, lengths == 0.0
    while used.sum() < most:
        left = float(np.linalg.norm(residual)) / size
        if left <= tolerance:
            break
        progress.report(min(0.99, max(0.0, np.log(left) / np.log(tolerance))), f"{int(used.sum())} pairs")
        slope = (columns.T @ residual) / scale
        slope[used | barred] = -np.inf
        entering = int(slope.argmax())
        if slope[entering] <= 1e-12 * whole:
            break  # no column reduces the residual any further
        used[entering] = True
        while True:
            active = np.flatnonzero(used)
            free = _least_squares(columns[:, active] / scale[active], target) / scale[active]
            if (free > 0.0).all():
                weights[:] = 0.0
                weights[active] = free
                barred = lengths == 0.0
                break
            # As far towards it as no weight turns negative; those that reach zero leave.
            now = weights[active]
            falling = free <= 0.0
            share = float((now[falling] / (now[falling] - free[falling])).min())
            weights[active] = np.maximum(now + share * (free - now), 0.0)
            gone = active[(weights[active] <= 1e-14 * weights.max(initial=0.0)) & falling]
            used[gone] = False
            weights[gone] = 0.0
            barred[gone] = gone == entering  # a column that leaves at once would enter again at once
        residual = target - columns @ weights
    return weights


def _least_squares(columns: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return (k,) amounts of unit columns (m, k), by their normal equations where these are good enough."""
    try:
        return np.asarray(la.solve(columns.T @ columns, columns.T @ target, assume_a="pos"))
    except la.LinAlgError:
        return np.asarray(la.lstsq(columns, target, lapack_driver="gelsy")[0])
