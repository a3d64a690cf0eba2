"""How the inertia of bodies changes with their coordinates and velocities, for a stack of P bodies at once.

Newton's matrix is made rarely, so that NumPy serves. Notation of `faying.multibody.inertia`.
"""

import numpy as np

from faying.multibody.inertia_numbers import Inertias, full
from faying.multibody.small_matrices import (
    cross,
    frames,
    moment_change,
    outer,
    product,
    rates_change,
)
from faying.spatial.rotations import skew


def mass_changes(q: np.ndarray, a: np.ndarray, bodies: Inertias) -> np.ndarray:
    """Return (P, n, n) ∂(M a)/∂q at constant a (P, n).

    M a = (m a_R + A b, H̄ᵀμ + …, SᵀAᵀa_R + Bᵀᾱ + M_ff a_f) with ᾱ = H̄ a_p.
    """
    change = np.zeros((*q.shape, q.shape[1]))
    along_p = bodies.along_p[:, None, None]
    first, slopes, tensor, tensor_change, coupling = bodies.deformed(q[:, 7:])
    p, by_p, by_f = q[:, 3:7], a[:, 3:7], a[:, 7:]
    axes, rates = frames(p)
    spin, d_spin = product(rates, by_p), rates_change(p, by_p)
    pull = product(axes.mT, a[:, :3])
    s, f = skew(first), skew(pull)
    # b = ᾱ × s + S a_f, so that the row of R is m a_R + A b; μ = s × Aᵀ a_R + J ᾱ + B a_f, that of p is H̄ᵀ μ.
    b = cross(spin, first) + product(slopes, by_f)
    mu = product(s, pull) + product(tensor, spin) + product(coupling, by_f)

    # Row of R: A turns by δπ̄ = H̄ δp, ᾱ changes with p, and s with q_f.
    change[:, :3, 3:7] = -axes @ (skew(b) @ rates + s @ d_spin)
    change[:, :3, 7:] = axes @ (skew(spin) @ slopes + product(bodies.drift, by_f[:, None]))

    # Row of p: H̄ᵀ changes at constant μ, then μ with the turn of Aᵀ a_R, with ᾱ and with q_f.
    change[:, 3:7, 3:7] = moment_change(p, mu) + rates.mT @ (s @ f @ rates + tensor @ d_spin)
    change[:, 3:7, 3:7] += along_p * (outer(p, by_p) + np.vecdot(p, by_p)[:, None, None] * np.eye(4))
    d_mu = product(bodies.gyration, by_f[:, None]) + along(spin, tensor_change) - f @ slopes
    change[:, 3:7, 7:] = rates.mT @ d_mu

    # Row of q_f: Sᵀ Aᵀ a_R turns and changes with q_f, Bᵀ ᾱ with p and with q_f.
    change[:, 7:, 3:7] = slopes.mT @ (f @ rates) + coupling.mT @ d_spin
    change[:, 7:, 7:] = weighted(spin, bodies.gyration).mT + weighted(pull, bodies.drift)
    return change


def force_changes(
    q: np.ndarray, v: np.ndarray, gravity: np.ndarray, bodies: Inertias
) -> tuple[np.ndarray, np.ndarray]:
    """Return (P, n, n) the derivatives of quadratic velocity forces and weight over q and v.

    Args:
        q, v: (P, n).
        gravity: (3,) in the inertial frame.
        bodies: their constants.
    """
    by_q, by_v = np.zeros((2, *q.shape, q.shape[1]))
    if not (v[:, 3:].any() or gravity.any()):  # at rest nothing is centrifugal
        return by_q, by_v
    along_p, gyration = bodies.along_p[:, None, None], bodies.gyration
    first, slopes, tensor, tensor_change, coupling = bodies.deformed(q[:, 7:])
    p, rate, flow = q[:, 3:7], v[:, 3:7], v[:, 7:]
    axes, rates = frames(p)
    spin, weight = product(rates, rate), product(axes.mT, gravity)
    square = np.vecdot(p, p)[:, None]
    bow = product(bodies.drift, flow[:, None])  # Ṡ
    drift, stretching = product(slopes, flow), 2.0 * np.vecdot(p, rate)[:, None] / square
    stretch = stretching[..., None]
    right, left = product(gyration, flow[:, None]), product(gyration.mT, flow[:, None])
    tilde, s, w = skew(spin), skew(first), skew(weight)
    d_tensor = along(spin, tensor_change)  # ∂(J ω̄)/∂q_f at constant ω̄
    turn, turned_coupling = product(tensor, spin), product(coupling.mT, spin)
    gyroscopic = weighted(spin, gyration)

    # ω̄ and `stretch` over p and ṗ.
    spin_p = rates_change(p, rate)
    stretch_p, stretch_rate = 2.0 / square * (rate - stretching * p), 2.0 / square * p

    # Position: derivatives of the centrifugal force over ω̄, q_f, q̇_f and `stretch`, then the frame's turn.
    across = product(tilde, first)
    c = product(tilde, across + 2.0 * drift) - stretching * across + product(bow, flow)
    c_spin = -skew(across) - tilde @ s + stretch * s - 2.0 * skew(drift)
    by_q[:, :3, 3:7] = axes @ (skew(c) @ rates - c_spin @ spin_p + outer(across, stretch_p))
    by_q[:, :3, 7:] = -axes @ ((tilde @ tilde - stretch * tilde) @ slopes + 2.0 * tilde @ bow)
    by_v[:, :3, 3:7] = -axes @ (c_spin @ rates - outer(across, stretch_rate))
    by_v[:, :3, 7:] = -2.0 * axes @ (tilde @ slopes + bow)

    # Rotation: the same of the moment.
    tensor_rate = product(tensor_change, flow[:, None])
    angular = turn + product(coupling, flow)
    m = stretching * turn - product(tensor_rate, spin) - product(right, flow) - product(tilde, angular)
    m += product(s, weight)
    m_spin = skew(angular) - tensor_rate - tilde @ tensor + stretch * tensor
    bending = along(spin, full(product(bodies.curvature, flow[:, None])))
    m_shape = tilde @ (d_tensor + right) + 2.0 * bending - stretch * d_tensor + w @ slopes
    by_q[:, 3:7, 3:7] = moment_change(p, m)
    by_q[:, 3:7, 3:7] += rates.mT @ (m_spin @ spin_p + outer(turn, stretch_p) + s @ w @ rates)
    by_q[:, 3:7, 3:7] -= along_p * np.vecdot(rate, rate)[:, None, None] * np.eye(4)
    by_q[:, 3:7, 7:] = -rates.mT @ m_shape
    by_v[:, 3:7, 3:7] = rates.mT @ (m_spin @ rates + outer(turn, stretch_rate))
    by_v[:, 3:7, 3:7] -= 2.0 * along_p * outer(p, rate)
    by_v[:, 3:7, 7:] = -rates.mT @ (d_tensor + right + left + tilde @ coupling)

    # Deformation.
    f_spin = (right - left + d_tensor + stretch * coupling).mT
    by_q[:, 7:, 3:7] = f_spin @ spin_p + outer(turned_coupling, stretch_p) + slopes.mT @ (w @ rates)
    by_q[:, 7:, 7:] = weighted(_squares(spin), bodies.curvature) + stretch * gyroscopic.mT
    by_q[:, 7:, 7:] += weighted(weight, bodies.drift)
    by_v[:, 7:, 3:7] = f_spin @ rates + outer(turned_coupling, stretch_rate)
    by_v[:, 7:, 7:] = gyroscopic - gyroscopic.mT
    return by_q, by_v


def along(spin: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Return (P, 3, r) the sums over k of spin_k and a symmetric tensor's change kl (P, 3, 3, r)."""
    return np.asarray((spin[:, None, None] @ change)[:, :, 0])


def weighted(weights: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    """Return (P, r, r) the sums of matrices (P, k, r, r) times weights (P, k)."""
    count, k, r, _ = matrices.shape
    return np.asarray((weights[:, None] @ matrices.reshape(count, k, r * r)).reshape(count, r, r))


def _squares(spin: np.ndarray) -> np.ndarray:
    """Return (P, 6) the factors of a symmetric tensor's components in ω̄ᵀ J ω̄."""
    x, y, z = spin.T
    return np.stack([x * x, y * y, z * z, 2.0 * x * y, 2.0 * x * z, 2.0 * y * z], axis=1)
