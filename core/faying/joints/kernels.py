"""Products with the rows of closed pairs, on which an evaluation of a joint spends its time (`faying.compiled`).

NumPy would first copy the rows of the closed pairs, which costs three times as much as reading them; machine code
reads them in place.

Rows of all n pairs are `normal` (n, r) and `tangential` (n, 2, r), contiguous; `pairs` (m,) selects those that count.
"""

import numpy as np

from faying.compiled import compiled

# Numba's types of read-only arrays, which accept writable arrays as well.
_ROWS, _MATRIX, _VECTOR, _PAIRS = (
    f"Array({kind}, {dimensions}, 'C', readonly=True)"
    for kind, dimensions in (("float64", 3), ("float64", 2), ("float64", 1), ("intp", 1))
)


def _gathered_slips(tangential: np.ndarray, pairs: np.ndarray, q: np.ndarray) -> np.ndarray:
    return np.asarray(tangential[pairs] @ q)


@compiled(plain=_gathered_slips, signature=f"float64[:, ::1]({_ROWS}, {_PAIRS}, {_VECTOR})")
def slips(tangential: np.ndarray, pairs: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return (m, 2) slips Gt q of the pairs along both tangents."""
    result = np.empty((len(pairs), 2))
    last = len(pairs) - 1
    # Two pairs at a time: four rows are read together, the coordinates half as often.
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


def _gathered_force(
    normal: np.ndarray,
    tangential: np.ndarray,
    pairs: np.ndarray,
    weights: np.ndarray,
    pressure: np.ndarray,
    stress: np.ndarray,
) -> np.ndarray:
    areas = weights[pairs]
    force = (areas * pressure) @ normal[pairs]
    if stress.shape[1]:
        force -= (areas[:, None] * stress).ravel() @ tangential[pairs].reshape(-1, len(force))
    return np.asarray(force)


@compiled(
    plain=_gathered_force,
    signature=f"float64[::1]({_MATRIX}, {_ROWS}, {_PAIRS}, {_VECTOR}, {_VECTOR}, {_MATRIX})",
)
def force(
    normal: np.ndarray,
    tangential: np.ndarray,
    pairs: np.ndarray,
    weights: np.ndarray,
    pressure: np.ndarray,
    stress: np.ndarray,
) -> np.ndarray:
    """Return (r,) Gnᵀ(w p) − Gtᵀ(w τ).

    Args:
        normal, tangential, pairs: see above.
        weights: (n,) areas.
        pressure: (m,) p.
        stress: (m, 2) τ; (m, 0) without friction.
    """
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
