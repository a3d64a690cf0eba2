"""Frames, small rotations and their derivatives, for stacks of bodies or markers.

The leading dimensions "…" of all arguments are those of the stack; they broadcast against each other. One call for a
whole stack takes as long as one for a single body, so that these functions need no machine code.
"""

import numpy as np

from faying.spatial.rotation_vectors import coefficients
from faying.spatial.rotations import skew


def frames(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return A (…, 3, 3) and H̄ (…, 3, 4) of Euler parameters (…, 4)."""
    s = (2.0 / np.vecdot(p, p))[..., None, None]
    rates = s * body_rows(p)
    # A = E Gᵀ / |p|² with the rows E = (−e, p₀ + ẽ) of the inertial frame.
    first, vector = p[..., :1, None], p[..., 1:]
    e = np.concatenate([-vector[..., None], first * np.eye(3) + skew(vector)], axis=-1)
    return 0.5 * (e @ rates.mT), rates


def body_rows(p: np.ndarray) -> np.ndarray:
    """Return G(p) (…, 3, 4) with H̄ = 2 G(p)/|p|²; linear in p."""
    first, vector = p[..., :1, None], p[..., 1:]
    return np.concatenate([-vector[..., None], first * np.eye(3) - skew(vector)], axis=-1)


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a × b (…, 3)."""
    return product(skew(a), b)


def product(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return (…, m) matrix @ vector."""
    return np.asarray((matrix @ vector[..., None])[..., 0])


def outer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return (…, m, n) a bᵀ."""
    return np.asarray(a[..., :, None] * b[..., None, :])


def rates_change(p: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Return (…, 3, 4) ∂(H̄ a)/∂p at a constant a (…, 4)."""
    # G(p) a is linear in p as in a: G(p) a = −G(a) p.
    s = (2.0 / np.vecdot(p, p))[..., None, None]
    return np.asarray(-s * (body_rows(rate) + outer(product(s * body_rows(p), rate), p)))


def moment_change(p: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Return (…, 4, 4) ∂(H̄ᵀ m)/∂p at a constant m (…, 3) in the turned frame."""
    s = (2.0 / np.vecdot(p, p))[..., None, None]
    change = -outer(product((s * body_rows(p)).mT, moment), p)
    change[..., 1:, 1:] -= skew(moment)
    change[..., 0, 1:] -= moment
    change[..., 1:, 0] += moment
    return np.asarray(s * change)


def small_rotation(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return exp(θ̃) and T (…, 3, 3) of `faying.spatial.rotation_vectors`, for θ (…, 3)."""
    a, b, _, _ = _coefficients(theta)
    once = skew(theta)
    tangent = np.eye(3) + a * once + b * (once @ once)
    return np.eye(3) + once @ tangent, tangent


def tangent_change(theta: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Return (…, 3, 3) ∂(Tᵀ m)/∂θ at a constant m (…, 3)."""
    a, b, slope_a, slope_b = _coefficients(theta)
    once = cross(theta, moment)
    # Tᵀ m = m − a θ × m + b θ × (θ × m); δ(θ × m) = −m × δθ.
    straight = a * skew(moment) - slope_a * outer(once, theta)
    bent = skew(once) + skew(theta) @ skew(moment)
    return np.asarray(straight - b * bent + slope_b * outer(cross(theta, once), theta))


def curvatures(
    q: np.ndarray, place: np.ndarray, displacements: np.ndarray, rotations: np.ndarray, force: np.ndarray,
    moment: np.ndarray, bows: np.ndarray | None = None,
) -> np.ndarray:  # fmt: skip
    """Return (…, n, n) the change of the generalised force of a constant force and moment at a marker.

    Args:
        q: (…, n) coordinates of the marker's part.
        place: x (…, 3).
        displacements, rotations: Φ_t and Φ_r (…, 3, r); (3, 0) or zeros where the marker does not move in the frame.
        force, moment: (…, 3) in the inertial frame.
        bows: W (…, 3, r, r); None for zero.
    """
    p, flexible, n = q[..., 3:7], q[..., 7:], q.shape[-1]
    axes, rates = frames(p)
    f, m, there = product(axes.mT, force), product(axes.mT, moment), place
    pull = skew(f)
    change = np.zeros((*f.shape[:-1], n, n))
    turning, deforming = slice(3, 7), slice(7, None)
    if displacements.any():
        linear = displacements
        if bows is not None:
            displacements = linear + product(bows, flexible[..., None, :])
            change[..., deforming, deforming] += (f[..., None, None] * bows).sum(axis=-3)
        there = there + 0.5 * product(linear + displacements, flexible)
        change[..., turning, deforming] -= rates.mT @ pull @ displacements
        change[..., deforming, turning] += displacements.mT @ pull @ rates
    if rotations.any():
        theta = product(rotations, flexible)
        change[..., deforming, turning] += rotations.mT @ (small_rotation(theta)[1].mT @ skew(m) @ rates)
        change[..., deforming, deforming] += rotations.mT @ tangent_change(theta, m) @ rotations
    change[..., turning, turning] = rates.mT @ (skew(there) @ pull + skew(m)) @ rates
    change[..., turning, turning] += moment_change(p, cross(there, f) + m)
    return change


def _coefficients(theta: np.ndarray) -> np.ndarray:
    """Return (4, …, 1, 1) the coefficients of `faying.spatial.rotation_vectors`."""
    found = np.array([coefficients(float(own @ own)) for own in theta.reshape(-1, 3)])
    return np.moveaxis(found, -1, 0).reshape(4, *theta.shape[:-1], 1, 1)
