"""Inertia of a body in its floating frame, as kernels (`faying.compiled`).

The constants of a body are one array of `faying.multibody.inertia_numbers`. Notation of `faying.multibody.inertia`.
"""

from typing import Any

import numpy as np

from faying.compiled import compiled
from faying.multibody.small_matrices import (
    add,
    cross,
    frame,
    inner,
    product,
    products,
    transposed,
)

Body = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # what `deformed` returns


@compiled
def unpacked(numbers: np.ndarray, r: int) -> tuple[Any, ...]:
    """Return the constants in the order of `faying.multibody.inertia_numbers.packed`, as views of their array."""
    # Behind m, the factor along p and the first moment (3,): ∂s/∂q_f = S.
    at = 5
    slopes = numbers[at : at + 3 * r].reshape((3, r))
    at += 3 * r
    # B of the undeformed body, and Ĝ.
    turning = numbers[at : at + 3 * r].reshape((3, r))
    at += 3 * r
    gyration = numbers[at : at + 3 * r * r].reshape((3, r, r))
    at += 3 * r * r
    # N: J of the undeformed body, its slopes and its curvature over q_f; then M_ff.
    tensor_slopes = numbers[at + 6 : at + 6 + 6 * r].reshape((6, r))
    tensor = numbers[at : at + 6]
    at += 6 + 6 * r
    curvature = numbers[at : at + 6 * r * r].reshape((6, r, r))
    at += 6 * r * r
    mass = numbers[at : at + r * r].reshape((r, r))
    return (
        numbers[0],
        numbers[1],
        numbers[2:5],
        slopes,
        turning,
        gyration,
        tensor,
        tensor_slopes,
        curvature,
        mass,
    )


@compiled
def full(six: np.ndarray) -> np.ndarray:
    """Return a symmetric tensor (3, 3) of its components: the diagonal, then xy, xz, yz."""
    tensor = np.empty((3, 3))
    for k in range(3):
        tensor[k, k] = six[k]
    tensor[0, 1] = tensor[1, 0] = six[3]
    tensor[0, 2] = tensor[2, 0] = six[4]
    tensor[1, 2] = tensor[2, 1] = six[5]
    return tensor


@compiled
def along(spin: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Return (3, r) the sums over k of spin_k and the change (6, r) of a symmetric tensor's components kl."""
    result = np.empty((3, change.shape[1]))
    x, y, z = spin[0], spin[1], spin[2]
    for j in range(change.shape[1]):
        result[0, j] = x * change[0, j] + y * change[3, j] + z * change[4, j]
        result[1, j] = x * change[3, j] + y * change[1, j] + z * change[5, j]
        result[2, j] = x * change[4, j] + y * change[5, j] + z * change[2, j]
    return result


@compiled
def deformed(flexible: np.ndarray, numbers: np.ndarray) -> Body:
    """Return the integrals of the deformed body: s (3,), J (3, 3), ∂J/∂q_f (6, r) and B (3, r)."""
    # s = ŝ ẑ, B_k = ẑᵀ Ĝ_k and J_kl = ẑᵀ N_kl ẑ with ẑ = (1, q_f), each as constant + linear (+ quadratic) part.
    r = len(flexible)
    _, _, first, slopes, turning, gyration, tensor, tensor_slopes, curvature, _ = unpacked(numbers, r)
    change, coupling, components = np.empty((6, r)), np.empty((3, r)), np.empty(6)
    for k in range(3):
        turned = transposed(gyration[k], flexible)
        for j in range(r):
            coupling[k, j] = turning[k, j] + turned[j]
    for k in range(6):
        bent = transposed(curvature[k], flexible)  # symmetric; so it runs along the rows
        components[k] = tensor[k]
        for j in range(r):
            components[k] += (2.0 * tensor_slopes[k, j] + bent[j]) * flexible[j]
            change[k, j] = 2.0 * (tensor_slopes[k, j] + bent[j])
    return first + product(slopes, flexible), full(components), change, coupling


@compiled
def write_mass(matrix: np.ndarray, at: int, q: np.ndarray, numbers: np.ndarray, body: Body) -> None:
    """Write M into a matrix of zeros, from row and column `at` on, for the deformed body at q (n,)."""
    n = len(q)
    total, along_p, _, slopes, _, _, _, _, _, flexible = unpacked(numbers, n - 7)
    first, tensor, _, coupling = body
    axes, rates = frame(q[3:7])
    turned = products(tensor, rates)
    p, f = at + 3, at + 7
    # M_Rp = A (H̄ × s), column by column, and M_pp = H̄ᵀ J H̄, with the term that vanishes on the unit sphere.
    for j in range(4):
        column = product(axes, cross(rates[:, j], first))
        for i in range(3):
            matrix[at + i, p + j] = matrix[p + j, at + i] = column[i]
        for i in range(4):
            value = along_p * q[3 + i] * q[3 + j]
            for k in range(3):
                value += rates[k, i] * turned[k, j]
            matrix[p + i, p + j] = value
    # M_RR = m I.
    for i in range(3):
        matrix[at + i, at + i] = total
    # M_Rf = A S, M_pf = H̄ᵀ B, M_ff.
    for j in range(n - 7):
        for i in range(3):
            value = 0.0
            for k in range(3):
                value += axes[i, k] * slopes[k, j]
            matrix[at + i, f + j] = matrix[f + j, at + i] = value
        for i in range(4):
            value = 0.0
            for k in range(3):
                value += rates[k, i] * coupling[k, j]
            matrix[p + i, f + j] = matrix[f + j, p + i] = value
    add(matrix, f, f, 1.0, flexible)


@compiled
def stretching(p: np.ndarray, rate: np.ndarray) -> float:
    """Return 2 p · ṗ/|p|²: ω̄̇ = H̄ p̈ − stretch ω̄, which is zero on the unit sphere."""
    stretch: float = 2.0 * inner(p, rate) / inner(p, p)
    return stretch


@compiled
def flowing(gyration: np.ndarray, flow: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (3, r) Ĝ_k q̇_f and q̇_fᵀ Ĝ_k; the negative of each other for solids."""
    r = len(flow)
    right, left = np.zeros((3, r)), np.zeros((3, r))
    for k in range(3):
        for i in range(r):
            row, total, factor = gyration[k, i], 0.0, flow[i]
            for j in range(r):
                total += row[j] * flow[j]
            for j in range(r):
                left[k, j] += row[j] * factor
            right[k, i] = total
    return right, left


@compiled
def centrifugal(spin: np.ndarray, first: np.ndarray, drift: np.ndarray, stretch: float) -> np.ndarray:
    """Return (3,) ω̄ × (ω̄ × s) + 2 ω̄ × S q̇_f + stretch s × ω̄, for the drift S q̇_f."""
    across = cross(spin, first)
    pull: np.ndarray = cross(spin, across + 2.0 * drift) - stretch * across
    return pull


@compiled
def turning_moment(
    spin: np.ndarray, flow: np.ndarray, stretch: float, body: Body, right: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Return (3,) −J̇ ω̄ − Ḃ q̇_f − ω̄ × (J ω̄ + B q̇_f) + stretch J ω̄."""
    _, tensor, tensor_change, coupling = body
    # J ω̄, then J̇ ω̄ with J̇ = ∂J/∂q_f q̇_f, then what the turning frame makes of the angular momentum.
    turn = product(tensor, spin)
    rate = product(full(product(tensor_change, flow)), spin)
    gyroscopic = cross(spin, turn + product(coupling, flow))
    moment: np.ndarray = stretch * turn - rate - product(right, flow) - gyroscopic
    return moment


@compiled
def write_forces(
    force: np.ndarray, q: np.ndarray, v: np.ndarray, gravity: np.ndarray, numbers: np.ndarray, body: Body,
) -> None:  # fmt: skip
    """Write quadratic velocity forces and weight into a vector (n,); gravity (3,) in the inertial frame."""
    r = len(q) - 7
    total, along_p, _, slopes, _, gyration, _, _, _, _ = unpacked(numbers, r)
    first, _, tensor_change, coupling = body
    p, rate, flow = q[3:7], v[3:7], v[7:]
    # ω̄ = H̄ ṗ; the weight per mass in the body's frame.
    axes, rates = frame(p)
    spin, weight = product(rates, rate), transposed(axes, gravity)
    stretch = stretching(p, rate)
    right, left = flowing(gyration, flow)
    pull = product(axes, centrifugal(spin, first, product(slopes, flow), stretch))
    moment = turning_moment(spin, flow, stretch, body, right) + cross(first, weight)
    turned = transposed(rates, moment)
    # Q_R = m g − A (centrifugal and Coriolis forces).
    for i in range(3):
        force[i] = total * gravity[i] - pull[i]
    # Q_p = H̄ᵀ (gyroscopic moment + s × Aᵀ g) − J |ṗ|² p, the last of ½ J (p · ṗ)², which vanishes on the unit sphere.
    for i in range(4):
        force[3 + i] = turned[i] - along_p * inner(rate, rate) * p[i]
    # Q_f = ω̄ᵀ (Ĝ q̇_f − q̇_fᵀ Ĝ + stretch B) + ω̄ᵀ ∂J/∂q_f ω̄ / 2 + Sᵀ Aᵀ g; thesis eq. 2.40.
    bent = along(spin, tensor_change)
    for j in range(r):
        value = 0.0
        for k in range(3):
            value += spin[k] * (right[k, j] - left[k, j] + stretch * coupling[k, j] + 0.5 * bent[k, j])
            value += weight[k] * slopes[k, j]
        force[7 + j] = value
