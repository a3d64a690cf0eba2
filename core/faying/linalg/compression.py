"""An orthonormal basis of many columns, found block by block, so that memory does not grow with their number."""

from collections.abc import Iterable
from functools import partial

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.linalg.background import patiently
from faying.linalg.threads import one_thread
from faying.progress import Progress

_MAX_RANK_SHARE = 0.9  # share of the dimension: columns of a larger rank get the identity as their basis
_PANEL = 64  # columns eliminated at a time


def leading_directions(
    blocks: Iterable[np.ndarray], count: int, least: float, progress: Progress
) -> np.ndarray | sp.csc_matrix:
    """Return U (n, c) with orthonormal columns that span all given columns up to a small relative error.

    Consists of the left singular vectors of the first block, then those of each following block's new directions. If
    the columns span more than 90 % of the dimensions, the result is the identity, as a sparse matrix.

    Args:
        blocks: (n, b) columns each, of length one.
        count: number of all columns, for the progress.
        least: singular values below this share of the first block's largest are left out; at least 1e-12.
        progress: reports and cancels.
    """
    found: np.ndarray | None = None
    largest, done, rank = 0.0, 0, 0
    for block in blocks:
        if found is None:
            # Allocated once: the system provides only pages that are written to, and growing would fragment memory.
            found = np.empty((len(block), int(_MAX_RANK_SHARE * len(block))), order="F")
        outside = partial(_directions_outside, found[:, :rank], block)
        added, values = patiently(outside, progress, done / count, f"what {done} of {count} columns span")
        largest = max(largest, values.max(initial=0.0))
        added = added[:, values > least * largest]
        begin, rank, done = rank, rank + added.shape[1], done + block.shape[1]
        if rank > found.shape[1]:
            return sp.csc_matrix(sp.identity(len(block)))
        found[:, begin:rank] = added
    return np.zeros((0, 0)) if found is None else found[:, :rank]


def _directions_outside(found: np.ndarray, block: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return left singular vectors and singular values of a block minus its part in orthonormal directions (n, k)."""
    rest = block.copy()
    for _ in range(2):  # the second pass removes the round-off that the first leaves
        rest -= found @ (found.T @ rest)
    with one_thread():  # thousands of small steps
        directions, values, _ = la.svd(rest, full_matrices=False, overwrite_a=True)
    return directions, values


def add_rows(triangle: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return R with RᵀR = triangleᵀ triangle + rowsᵀ rows, by a QR factorisation, without forming the products.

    Args:
        triangle: (k, n) from an earlier call; (0, n) to begin with. It is overwritten once k = n.
        rows: (b, n); overwritten.
    """
    if len(triangle) == triangle.shape[1]:
        # LAPACK's update of a triangle by further rows makes use of its zeros.
        width = min(_PANEL, len(triangle))
        factor, *_ = la.lapack.dtpqrt(0, width, triangle, rows, overwrite_a=True, overwrite_b=True)
        return np.asarray(factor)
    (factor,) = la.qr(np.vstack([triangle, rows]), mode="r", overwrite_a=True, check_finite=False)
    return np.asfortranarray(factor[: min(factor.shape)])
