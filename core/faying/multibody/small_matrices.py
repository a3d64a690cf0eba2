"""Products of vectors and matrices of three, for the kernels of this package (`faying.compiled`).

NumPy takes a microsecond for each whatever its size.
"""

import numpy as np

from faying.compiled import compiled
from faying.spatial import rotation_vectors

_tangent_coefficients = compiled(rotation_vectors.coefficients)


@compiled
def frame(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return A (3, 3) and H̄ (3, 4) of Euler parameters."""
    a, b, c, d = p[0], p[1], p[2], p[3]
    s = 2.0 / (a * a + b * b + c * c + d * d)
    axes, rates = np.empty((3, 3)), np.empty((3, 4))
    axes[0, 0], axes[0, 1], axes[0, 2] = 1.0 - s * (c * c + d * d), s * (b * c - a * d), s * (b * d + a * c)
    axes[1, 0], axes[1, 1], axes[1, 2] = s * (b * c + a * d), 1.0 - s * (b * b + d * d), s * (c * d - a * b)
    axes[2, 0], axes[2, 1], axes[2, 2] = s * (b * d - a * c), s * (c * d + a * b), 1.0 - s * (b * b + c * c)
    rates[0, 0], rates[0, 1], rates[0, 2], rates[0, 3] = -s * b, s * a, s * d, -s * c
    rates[1, 0], rates[1, 1], rates[1, 2], rates[1, 3] = -s * c, -s * d, s * a, s * b
    rates[2, 0], rates[2, 1], rates[2, 2], rates[2, 3] = -s * d, s * c, -s * b, s * a
    return axes, rates


@compiled
def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a × b (3,)."""
    result = np.empty(3)
    result[0] = a[1] * b[2] - a[2] * b[1]
    result[1] = a[2] * b[0] - a[0] * b[2]
    result[2] = a[0] * b[1] - a[1] * b[0]
    return result


@compiled
def inner(a: np.ndarray, b: np.ndarray) -> float:
    """Return a · b."""
    total = 0.0
    for k in range(len(a)):
        total += a[k] * b[k]
    return total


@compiled
def outer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return (m, n) a bᵀ."""
    result = np.empty((len(a), len(b)))
    for i in range(len(a)):
        for j in range(len(b)):
            result[i, j] = a[i] * b[j]
    return result


@compiled
def add(target: np.ndarray, row: int, column: int, factor: float, block: np.ndarray) -> None:
    """Add a block times a factor to a matrix, from a row and column on."""
    for i in range(block.shape[0]):
        for j in range(block.shape[1]):
            target[row + i, column + j] += factor * block[i, j]


@compiled
def product(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return (m,) matrix @ vector."""
    result = np.zeros(matrix.shape[0])
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            result[i] += matrix[i, j] * vector[j]
    return result


@compiled
def transposed(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return (n,) matrix.T @ vector."""
    result = np.zeros(matrix.shape[1])
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            result[j] += matrix[i, j] * vector[i]
    return result


@compiled
def products(matrix: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return (m, k) matrix @ columns."""
    result = np.zeros((matrix.shape[0], columns.shape[1]))
    for i in range(matrix.shape[0]):
        for k in range(matrix.shape[1]):
            for j in range(columns.shape[1]):
                result[i, j] += matrix[i, k] * columns[k, j]
    return result


@compiled
def transposed_products(matrix: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return (n, k) matrix.T @ columns."""
    result = np.zeros((matrix.shape[1], columns.shape[1]))
    for k in range(matrix.shape[0]):
        for i in range(matrix.shape[1]):
            for j in range(columns.shape[1]):
                result[i, j] += matrix[k, i] * columns[k, j]
    return result


@compiled
def small_rotation(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return exp(θ̃) and T (3, 3) of `faying.spatial.rotation_vectors`."""
    a, b, _, _ = _tangent_coefficients(theta)
    rotation, tangent = np.empty((3, 3)), np.empty((3, 3))
    for j in range(3):
        unit = np.zeros(3)
        unit[j] = 1.0
        once = cross(theta, unit)
        twice = cross(theta, once)
        # Sums of arrays, written out, would take two seconds to compile.
        for i in range(3):
            tangent[i, j] = unit[i] + a * once[i] + b * twice[i]
        # exp(θ̃) = I + θ̃ T
        turned = cross(theta, tangent[:, j])
        for i in range(3):
            rotation[i, j] = unit[i] + turned[i]
    return rotation, tangent


@compiled
def tangent_change(theta: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Return (3, 3) ∂(Tᵀ m)/∂θ at a constant m (3,)."""
    a, b, slope_a, slope_b = _tangent_coefficients(theta)
    once = cross(theta, moment)
    # Tᵀ m = m − a θ × m + b θ × (θ × m); δ(θ × m) = −m × δθ.
    change = np.zeros((3, 3))
    add(change, 0, 0, a, skew(moment))
    add(change, 0, 0, -slope_a, outer(once, theta))
    add(change, 0, 0, -b, skew(once))
    add(change, 0, 0, -b, products(skew(theta), skew(moment)))
    add(change, 0, 0, slope_b, outer(cross(theta, once), theta))
    return change


@compiled
def skew(a: np.ndarray) -> np.ndarray:
    """Return ã (3, 3)."""
    matrix = np.zeros((3, 3))
    matrix[0, 1], matrix[0, 2], matrix[1, 2] = -a[2], a[1], -a[0]
    matrix[1, 0], matrix[2, 0], matrix[2, 1] = a[2], -a[1], a[0]
    return matrix


@compiled
def body_rows(p: np.ndarray) -> np.ndarray:
    """Return G(p) (3, 4) with H̄ = 2 G(p)/|p|²; linear in p."""
    rows = np.empty((3, 4))
    rows[0, 0], rows[0, 1], rows[0, 2], rows[0, 3] = -p[1], p[0], p[3], -p[2]
    rows[1, 0], rows[1, 1], rows[1, 2], rows[1, 3] = -p[2], -p[3], p[0], p[1]
    rows[2, 0], rows[2, 1], rows[2, 2], rows[2, 3] = -p[3], p[2], -p[1], p[0]
    return rows


@compiled
def rates_change(p: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Return (3, 4) ∂(H̄ a)/∂p at a constant a (4,)."""
    # G(p) a is linear in p as in a: G(p) a = −G(a) p.
    s, omega, change = 2.0 / inner(p, p), product(frame(p)[1], rate), np.zeros((3, 4))
    add(change, 0, 0, -s, body_rows(rate))
    add(change, 0, 0, -s, outer(omega, p))
    return change


@compiled
def moment_change(p: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Return (4, 4) ∂(H̄ᵀ m)/∂p at a constant m (3,) in the turned frame."""
    s, change = 2.0 / inner(p, p), np.zeros((4, 4))
    add(change, 1, 1, -s, skew(moment))
    for k in range(3):
        change[0, 1 + k], change[1 + k, 0] = -s * moment[k], s * moment[k]
    add(change, 0, 0, -s, outer(transposed(frame(p)[1], moment), p))
    return change
