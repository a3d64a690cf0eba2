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
    last = len(pairs) - 1
    # Two pairs at a time: four rows are read beside each other, the coordinates half as often.
    for i in range(0, len(pairs), 2):
        other = min(i + 1, last)
        a, b = tangential[pairs[i], 0], tangential[pairs[i], 1]
        c, d = tangential[pairs[other], 0], tangential[pairs[other], 1]
        of_a = of_b = of_c = of_d = 0.0
        for j in range(len(q)):
            of_a += a[j] * q[j]
            of_b += b[j] * q[j]
            of_c += c[j] * q[j]
            of_d += d[j] * q[j]
        result[i, 0], result[i, 1] = of_a, of_b
        result[other, 0], result[other, 1] = of_c, of_d
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
    last = len(pairs) - 1
    # Two pairs at a time, all of their rows in one pass: the sum is loaded and stored a sixth as often.
    for i in range(0, len(pairs), 2):
        other = min(i + 1, last)
        here, there = pairs[i], pairs[other]
        weight, weight_there = weights[here], weights[there] if other > i else 0.0
        n, n_there = normal[here], normal[there]
        p, p_there = weight * pressure[i], weight_there * pressure[other]
        if stress.shape[1]:
            a, b, c, d = tangential[here, 0], tangential[here, 1], tangential[there, 0], tangential[there, 1]
            of_a, of_b = weight * stress[i, 0], weight * stress[i, 1]
            of_c, of_d = weight_there * stress[other, 0], weight_there * stress[other, 1]
            for j in range(len(result)):
                result[j] += (p * n[j] - of_a * a[j] - of_b * b[j]) + (
                    p_there * n_there[j] - of_c * c[j] - of_d * d[j]
                )
        else:
            for j in range(len(result)):
                result[j] += p * n[j] + p_there * n_there[j]
    return result
