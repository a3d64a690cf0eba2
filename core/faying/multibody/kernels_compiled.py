"""Arithmetic with vectors of three, compiled by numba; `faying.multibody.kernels` alone imports this.

A part's mass, forces and markers are dozens of products of tiny matrices, and NumPy takes a microsecond for each
whatever its size: a double pendulum spent nine tenths of its time with that. Without numba the same functions run
as they stand here, slower. The machine code is kept beside this file, or in the user's cache folder.

Notation of `faying.multibody.inertia`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from faying.spatial import rotation_vectors


def _compiled(function: Callable[..., Any]) -> Any:
    try:
        import numba

        return numba.njit(cache=True, error_model="numpy")(function)
    except (ImportError, RuntimeError):  # not installed, or no folder where its code can be kept
        return function


_tangent_coefficients = _compiled(rotation_vectors.coefficients)


@_compiled
def _frame(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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


@_compiled
def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a × b (3,)."""
    result = np.empty(3)
    result[0] = a[1] * b[2] - a[2] * b[1]
    result[1] = a[2] * b[0] - a[0] * b[2]
    result[2] = a[0] * b[1] - a[1] * b[0]
    return result


@_compiled
def _product(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return matrix @ vector."""
    result = np.zeros(matrix.shape[0])
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            result[i] += matrix[i, j] * vector[j]
    return result


@_compiled
def _transposed(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return matrix.T @ vector."""
    result = np.zeros(matrix.shape[1])
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            result[j] += matrix[i, j] * vector[i]
    return result


@_compiled
def _products(matrix: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return matrix @ columns."""
    result = np.zeros((matrix.shape[0], columns.shape[1]))
    for i in range(matrix.shape[0]):
        for k in range(matrix.shape[1]):
            for j in range(columns.shape[1]):
                result[i, j] += matrix[i, k] * columns[k, j]
    return result


@_compiled
def mass(
    q: np.ndarray, total: float, first: np.ndarray, slopes: np.ndarray, tensor: np.ndarray, coupling: np.ndarray,
    flexible: np.ndarray, along_p: float,
) -> np.ndarray:  # fmt: skip
    """Return M (n, n); see `faying.multibody.inertia.FloatingInertia`.

    Args:
        q: (n,) coordinates.
        total: m.
        first: s (3,).
        slopes: S (3, r).
        tensor: J (3, 3).
        coupling: B (3, r).
        flexible: M_ff (r, r).
        along_p: factor of the term that vanishes on the unit sphere.
    """
    axes, rates = _frame(q[3:7])
    n = len(q)
    matrix = np.zeros((n, n))
    turned = _products(tensor, rates)
    for j in range(4):
        column = _product(axes, _cross(rates[:, j], first))
        for i in range(3):
            matrix[i, 3 + j] = matrix[3 + j, i] = column[i]
        for i in range(4):
            value = along_p * q[3 + i] * q[3 + j]
            for k in range(3):
                value += rates[k, i] * turned[k, j]
            matrix[3 + i, 3 + j] = value
    for i in range(3):
        matrix[i, i] = total
    for j in range(n - 7):
        for i in range(3):
            value = 0.0
            for k in range(3):
                value += axes[i, k] * slopes[k, j]
            matrix[i, 7 + j] = matrix[7 + j, i] = value
        for i in range(4):
            value = 0.0
            for k in range(3):
                value += rates[k, i] * coupling[k, j]
            matrix[3 + i, 7 + j] = matrix[7 + j, 3 + i] = value
        for i in range(n - 7):
            matrix[7 + i, 7 + j] = flexible[i, j]
    return matrix


@_compiled
def forces(
    q: np.ndarray, v: np.ndarray, gravity: np.ndarray, total: float, first: np.ndarray, slopes: np.ndarray,
    tensor: np.ndarray, tensor_change: np.ndarray, coupling: np.ndarray, gyration: np.ndarray, along_p: float,
) -> np.ndarray:  # fmt: skip
    """Return (n,) quadratic velocity forces and weight; see `faying.multibody.inertia.FloatingInertia`.

    Args:
        q, v: (n,) coordinates and velocities.
        gravity: (3,) in the inertial frame.
        total, first, slopes, tensor, coupling, along_p: as `mass` takes them.
        tensor_change: (6, r) ∂J/∂q_f: the diagonal, then xy, xz, yz.
        gyration: (3, r, r) Ĝ over q_f.
    """
    n, r = len(q), len(q) - 7
    p, rate, flow = q[3:7], v[3:7], v[7:]
    axes, rates = _frame(p)
    spin, weight = _product(rates, rate), _transposed(axes, gravity)
    # ω̄̇ = H̄ p̈ − stretch ω̄, which is zero on the unit sphere.
    along, square = 0.0, 0.0
    for k in range(4):
        along += p[k] * rate[k]
        square += rate[k] * rate[k]
    stretch = 2.0 * along / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
    right, left = np.zeros((3, r)), np.zeros((3, r))
    for k in range(3):
        for i in range(r):
            for j in range(r):
                right[k, i] += gyration[k, i, j] * flow[j]
                left[k, j] += flow[i] * gyration[k, i, j]
    changing = _product(tensor_change, flow)

    # ω̄ × (ω̄ × s) + 2 ω̄ × S q̇_f + stretch s × ω̄, and the moment of the same terms.
    across = _cross(spin, first)
    centrifugal = _cross(spin, across + 2.0 * _product(slopes, flow)) - stretch * across
    turn = _product(tensor, spin)
    moment = stretch * turn - _cross(spin, turn + _product(coupling, flow)) - _product(right, flow)
    moment += _cross(first, weight)
    moment[0] -= changing[0] * spin[0] + changing[3] * spin[1] + changing[4] * spin[2]
    moment[1] -= changing[3] * spin[0] + changing[1] * spin[1] + changing[5] * spin[2]
    moment[2] -= changing[4] * spin[0] + changing[5] * spin[1] + changing[2] * spin[2]

    force = np.empty(n)
    force[:3] = total * gravity - _product(axes, centrifugal)
    force[3:7] = _transposed(rates, moment) - (along_p * square) * p
    for j in range(r):
        value = 0.0
        for k in range(3):
            value += spin[k] * (right[k, j] - left[k, j] + stretch * coupling[k, j])
            value += 0.5 * spin[k] * spin[k] * tensor_change[k, j] + weight[k] * slopes[k, j]
        value += spin[0] * spin[1] * tensor_change[3, j] + spin[0] * spin[2] * tensor_change[4, j]
        force[7 + j] = value + spin[1] * spin[2] * tensor_change[5, j]
    return force


@_compiled
def marker(
    q: np.ndarray, v: np.ndarray, place: np.ndarray, displacements: np.ndarray, rotations: np.ndarray,
    axes: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """Return what `MarkerMotion` holds, in its order; see `faying.multibody.parts.markers.NodeMarker`.

    Args:
        q, v: (n,) coordinates and velocities of the part.
        place: x (3,).
        displacements, rotations: Φ_t and Φ_r (3, r); (3, 0) where the marker does not move in the frame.
        axes: A₀ (3, 3).
    """
    n = len(q)
    turn, rates = _frame(q[3:7])
    d_position, d_rotation = np.zeros((3, n)), np.zeros((3, n))
    d_rotation[:, 3:7] = _products(turn, rates)
    there, own = np.zeros(3) + place, np.zeros((3, 3)) + axes
    if displacements.shape[1]:
        there += _product(displacements, q[7:])
        d_position[:, 7:] = _products(turn, displacements)
    if rotations.shape[1]:
        theta = _product(rotations, q[7:])
        local, tangent = _small_rotation(theta)
        own = _products(local, own)
        d_rotation[:, 7:] = _products(turn, _products(tangent, rotations))
    for j in range(4):
        d_position[:, 3 + j] = _product(turn, _cross(rates[:, j], there))
    for i in range(3):
        d_position[i, i] = 1.0
    position, velocity, spin = q[:3] + _product(turn, there), _product(d_position, v), _product(d_rotation, v)
    return position, _products(turn, own), d_position, d_rotation, velocity, spin


@_compiled
def _small_rotation(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return exp(θ̃) and T (3, 3) of `faying.spatial.rotation_vectors`."""
    a, b, _, _ = _tangent_coefficients(theta)
    rotation, tangent = np.empty((3, 3)), np.empty((3, 3))
    for j in range(3):
        unit = np.zeros(3)
        unit[j] = 1.0
        once = _cross(theta, unit)
        twice = _cross(theta, once)
        tangent[:, j] = unit + a * once + b * twice
        # exp(θ̃) = I + θ̃ T
        rotation[:, j] = unit + _cross(theta, tangent[:, j])
    return rotation, tangent


@_compiled
def along(
    position_i: np.ndarray, axes_i: np.ndarray, position_j: np.ndarray, which: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return values (k,) and rows (k, 12) of a · d for some axes (k,) of marker i; see `faying.multibody.rows`."""
    values, rows = np.empty(len(which)), np.zeros((len(which), 12))
    d = position_j - position_i
    for k in range(len(which)):
        a = axes_i[:, which[k]]
        values[k] = a[0] * d[0] + a[1] * d[1] + a[2] * d[2]
        rows[k, 3:6] = _cross(a, d)
        for c in range(3):
            rows[k, c], rows[k, 6 + c] = -a[c], a[c]
    return values, rows


@_compiled
def between_axes(axes_i: np.ndarray, axes_j: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return values (k,) and rows (k, 12) of a · b for pairs (k, 2) of axes; see `faying.multibody.rows`."""
    values, rows = np.empty(len(which)), np.zeros((len(which), 12))
    for k in range(len(which)):
        a, b = axes_i[:, which[k, 0]], axes_j[:, which[k, 1]]
        values[k] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
        turning = _cross(a, b)
        for c in range(3):
            rows[k, 3 + c], rows[k, 9 + c] = turning[c], -turning[c]
    return values, rows


@_compiled
def carry(
    rows: np.ndarray,
    first: int,
    d_position: np.ndarray,
    d_rotation: np.ndarray,
    target: np.ndarray,
    start: int,
) -> None:
    """Add rows over one marker's virtual motions to rows over all coordinates.

    Args:
        rows: (k, 6 m) over the virtual motions of m markers.
        first: column where those of this marker begin.
        d_position, d_rotation: (3, n) of this marker over its part's coordinates.
        target: (k, N) over all coordinates; added to.
        start: column where those of the part begin.
    """
    for k in range(rows.shape[0]):
        for c in range(3):
            push, turn = rows[k, first + c], rows[k, first + 3 + c]
            for j in range(d_position.shape[1]):
                target[k, start + j] += push * d_position[c, j] + turn * d_rotation[c, j]
