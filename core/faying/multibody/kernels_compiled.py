"""Arithmetic of parts and markers, compiled by numba; `faying.multibody.kernels` alone imports this.

A part's mass, forces and markers are dozens of products of tiny matrices: a double pendulum spent nine tenths of its
time with the overhead of NumPy.

Notation of `faying.multibody.inertia`.
"""

import numpy as np

from faying.multibody.small_matrices_compiled import (
    compiled,
    cross,
    frame,
    product,
    products,
    small_rotation,
    transposed,
)


@compiled
def deformed(
    flexible: np.ndarray, first: np.ndarray, coupling: np.ndarray, second: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the integrals of the deformed body: s (3,), J (3, 3), ∂J/∂q_f (6, r) and B (3, r).

    Args:
        flexible: q_f (r,).
        first: ŝ (3, 1 + r).
        coupling: Ĝ (3, 1 + r, r).
        second: N (6, 1 + r, 1 + r), symmetric each: the diagonal of J, then xy, xz, yz.
    """
    r = len(flexible)
    shape = np.ones(1 + r)
    shape[1:] = flexible
    halves, change, turning, components = (
        np.zeros((6, 1 + r)),
        np.empty((6, r)),
        np.zeros((3, r)),
        np.zeros(6),
    )
    for k in range(6):
        # Along rows, as they lie in memory.
        for i in range(1 + r):
            for j in range(1 + r):
                halves[k, j] += shape[i] * second[k, i, j]
        for j in range(1 + r):
            components[k] += halves[k, j] * shape[j]
        change[k] = 2.0 * halves[k, 1:]
    for k in range(3):
        for i in range(1 + r):
            for j in range(r):
                turning[k, j] += shape[i] * coupling[k, i, j]
    tensor = np.empty((3, 3))
    for k in range(3):
        tensor[k, k] = components[k]
    tensor[0, 1] = tensor[1, 0] = components[3]
    tensor[0, 2] = tensor[2, 0] = components[4]
    tensor[1, 2] = tensor[2, 1] = components[5]
    return product(first, shape), tensor, change, turning


@compiled
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
    axes, rates = frame(q[3:7])
    n = len(q)
    matrix = np.zeros((n, n))
    turned = products(tensor, rates)
    for j in range(4):
        column = product(axes, cross(rates[:, j], first))
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


@compiled
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
    axes, rates = frame(p)
    spin, weight = product(rates, rate), transposed(axes, gravity)
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
    changing = product(tensor_change, flow)

    # ω̄ × (ω̄ × s) + 2 ω̄ × S q̇_f + stretch s × ω̄, and the moment of the same terms.
    across = cross(spin, first)
    centrifugal = cross(spin, across + 2.0 * product(slopes, flow)) - stretch * across
    turn = product(tensor, spin)
    moment = stretch * turn - cross(spin, turn + product(coupling, flow)) - product(right, flow)
    moment += cross(first, weight)
    moment[0] -= changing[0] * spin[0] + changing[3] * spin[1] + changing[4] * spin[2]
    moment[1] -= changing[3] * spin[0] + changing[1] * spin[1] + changing[5] * spin[2]
    moment[2] -= changing[4] * spin[0] + changing[5] * spin[1] + changing[2] * spin[2]

    force = np.empty(n)
    force[:3] = total * gravity - product(axes, centrifugal)
    force[3:7] = transposed(rates, moment) - (along_p * square) * p
    for j in range(r):
        value = 0.0
        for k in range(3):
            value += spin[k] * (right[k, j] - left[k, j] + stretch * coupling[k, j])
            value += 0.5 * spin[k] * spin[k] * tensor_change[k, j] + weight[k] * slopes[k, j]
        value += spin[0] * spin[1] * tensor_change[3, j] + spin[0] * spin[2] * tensor_change[4, j]
        force[7 + j] = value + spin[1] * spin[2] * tensor_change[5, j]
    return force


@compiled
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
    turn, rates = frame(q[3:7])
    d_position, d_rotation = np.zeros((3, n)), np.zeros((3, n))
    d_rotation[:, 3:7] = products(turn, rates)
    there, own = np.zeros(3) + place, np.zeros((3, 3)) + axes
    if displacements.shape[1]:
        there += product(displacements, q[7:])
        d_position[:, 7:] = products(turn, displacements)
    if rotations.shape[1]:
        theta = product(rotations, q[7:])
        local, tangent = small_rotation(theta)
        own = products(local, own)
        d_rotation[:, 7:] = products(turn, products(tangent, rotations))
    for j in range(4):
        d_position[:, 3 + j] = product(turn, cross(rates[:, j], there))
    for i in range(3):
        d_position[i, i] = 1.0
    position, velocity, spin = q[:3] + product(turn, there), product(d_position, v), product(d_rotation, v)
    return position, products(turn, own), d_position, d_rotation, velocity, spin


@compiled
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
