"""What many columns span, found block by block, so that memory does not grow with their number."""

from collections.abc import Iterable
from functools import partial

import numpy as np
import scipy.linalg as la

from faying.linalg.background import patiently
from faying.progress import Progress


def leading_directions(
    blocks: Iterable[np.ndarray], count: int, least: float, progress: Progress
) -> np.ndarray:
    """Return U (n, c) with orthonormal columns: the left singular vectors of all columns together.

    Directions of a singular value below `least`, relative to the largest, are left out. A basis grows by what
    each block adds to it; the singular values come from the columns' triangular factor over that basis.

    Args:
        blocks: (n, b) columns each, of length one.
        count: number of all columns, for the progress.
        least: at least 1e-12.
        progress: reports and cancels.
    """
    basis, triangle = np.zeros((0, 0)), np.zeros((0, 0))
    done = 0
    for block in blocks:
        text = f"what {done} of {count} columns span"
        if not done:
            basis = np.zeros((len(block), 0))
        grow = partial(_grown, basis, triangle, block, 0.1 * least)
        basis, triangle = patiently(grow, progress, 0.8 * done / count, text)
        done += block.shape[1]
    left, values, _ = patiently(lambda: la.svd(triangle.T), progress, 0.8, "singular values")
    return np.asarray(basis @ left[:, : int((values > least * values[0]).sum())])


def _grown(
    basis: np.ndarray, triangle: np.ndarray, block: np.ndarray, least: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the basis with what a block adds, and the triangular factor of all coordinates over it."""
    # Twice, for what the first turn leaves of round-off.
    coordinates = basis.T @ block
    rest = block - basis @ coordinates
    more = basis.T @ rest
    coordinates, rest = coordinates + more, rest - basis @ more
    new = np.flatnonzero(np.linalg.norm(rest, axis=0) > least)
    directions, values, _ = la.svd(rest[:, new], full_matrices=False)
    directions = directions[:, values > least]
    coordinates = np.vstack([coordinates, directions.T @ rest])
    widened = np.hstack([triangle, np.zeros((len(triangle), directions.shape[1]))])
    return np.hstack([basis, directions]), add_rows(widened, coordinates.T)


def add_rows(triangle: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return R with RᵀR = triangleᵀ triangle + rowsᵀ rows, by a QR factorisation, which keeps all digits."""
    stacked = np.vstack([triangle, rows])
    (factor,) = la.qr(stacked, mode="r", overwrite_a=True, check_finite=False)
    return np.asarray(factor[: min(stacked.shape)])
