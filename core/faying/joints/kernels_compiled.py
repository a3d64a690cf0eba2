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
_VECTOR_OUT, _MATRIX_OUT = float64[::1], float64[:, ::1]
_REORDER = {"reassoc", "contract", "nsz"}


@numba.njit(_MATRIX_OUT(_ROWS, _PAIRS, _VECTOR), cache=True, error_model="numpy", fastmath=_REORDER)
def slips(tangential: np.ndarray, pairs: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return (m, 2) Gt q; see `faying.joints.kernels.Kernels`."""
    result = np.empty((len(pairs), 2))
    for i in range(len(pairs)):
        first, second = tangential[pairs[i], 0], tangential[pairs[i], 1]
        one = two = 0.0
        for j in range(len(q)):
            one += first[j] * q[j]
            two += second[j] * q[j]
        result[i, 0], result[i, 1] = one, two
    return result


@numba.njit(
    _VECTOR_OUT(_MATRIX, _ROWS, _PAIRS, _VECTOR, _VECTOR, _MATRIX),
    cache=True, error_model="numpy", fastmath=_REORDER,
)  # fmt: skip
def force(
    normal: np.ndarray,
    tangential: np.ndarray,
    pairs: np.ndarray,
    weights: np.ndarray,
    pressure: np.ndarray,
    stress: np.ndarray,
) -> np.ndarray:
    """Return (r,) Gnᵀ(w p) − Gtᵀ(w τ); see `faying.joints.kernels.Kernels`."""
    result = np.zeros(normal.shape[1])
    for i in range(len(pairs)):
        pair = pairs[i]
        row, factor = normal[pair], weights[pair] * pressure[i]
        for j in range(len(row)):
            result[j] += factor * row[j]
        for k in range(stress.shape[1]):
            row, factor = tangential[pair, k], weights[pair] * stress[i, k]
            for j in range(len(row)):
                result[j] -= factor * row[j]
    return result
