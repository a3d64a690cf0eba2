"""The row kernels compiled by numba; `faying.joints.kernels` alone imports this.

The terms of a sum may be added in another order (fastmath "reassoc", "contract"), so that they use the
processor's vectors; infinities and NaN stay what they are. The machine code is kept beside this file, or in
the user's cache folder where that cannot be written.
"""

import numba
import numpy as np
from numba import float64, intp


def _read_only(kind: numba.types.Type, dimensions: int) -> numba.types.Array:
    """Return the type of an array that is only read; writable arrays are taken as well."""
    return numba.types.Array(kind, dimensions, "C", readonly=True)


_ROWS, _MATRIX, _VECTOR, _PAIRS = (
    _read_only(float64, 3), _read_only(float64, 2), _read_only(float64, 1), _read_only(intp, 1),
)  # fmt: skip
_REORDER = {"reassoc", "contract", "nsz"}


@numba.njit(float64[:, ::1](_ROWS, _PAIRS, _VECTOR), cache=True, error_model="numpy", fastmath=_REORDER)
def times(rows: np.ndarray, pairs: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return (m, k) products; see `faying.joints.kernels.Kernels`."""
    result = np.empty((len(pairs), rows.shape[1]))
    for i in range(len(pairs)):
        for k in range(rows.shape[1]):
            row = rows[pairs[i], k]
            product = 0.0
            for j in range(len(q)):
                product += row[j] * q[j]
            result[i, k] = product
    return result


@numba.njit(float64[::1](_ROWS, _PAIRS, _MATRIX), cache=True, error_model="numpy", fastmath=_REORDER)
def combine(rows: np.ndarray, pairs: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """Return (r,) sum of rows; see `faying.joints.kernels.Kernels`."""
    result = np.zeros(rows.shape[2])
    for i in range(len(pairs)):
        for k in range(rows.shape[1]):
            row, factor = rows[pairs[i], k], factors[i, k]
            for j in range(len(row)):
                result[j] += factor * row[j]
    return result
