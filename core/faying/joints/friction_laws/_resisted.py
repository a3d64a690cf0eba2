"""Hysteretic laws in which slip reduces the stress along the stress itself: Valanis, Bouc-Wen, Masing."""

from abc import abstractmethod
from typing import NamedTuple

import numpy as np

from faying.joints.friction_laws._hysteretic import Flow, HystereticLaw, implicit_share

_ITERATIONS = 100


class Resistance(NamedTuple):
    """ψ (n,) and its derivatives with respect to the stress along and across the slip."""

    value: np.ndarray
    d_along: np.ndarray
    d_across: np.ndarray


class ResistedLaw(HystereticLaw):
    """dτ₁ = c₁ (ds − ψ τ₁/R_G |ds|), with a resistance 0 ≤ ψ ≤ 1 that defines the law.

    Where ψ is zero the contact sticks, in any direction; it is one when the stress has reached the limit along
    the slip. With the resistance constant at a mean over the path, the equation has an exponential solution with
    one unknown, k = ∫ ψ c₁/R_G |ds|: one scalar equation for each pair.
    """

    @abstractmethod
    def resistance(self, along: np.ndarray, across: np.ndarray) -> Resistance:
        """Return ψ for a stress within the limit, by its parts along and across the slip, divided by the limit."""

    def flow(self, along: np.ndarray, across: np.ndarray, travel: np.ndarray, *, derivatives: bool) -> Flow:
        """Return the stress divided by the limit at the path's end; see `HystereticLaw.flow`."""
        late = implicit_share(travel)
        start = self._inside(along, across)
        least, weight = (1.0 - late) * travel * start.value, late * travel
        k, last = least + weight * self._inside(*_end(least, along, across, travel)[:2]).value, weight
        low, high, active = least, least + weight, np.ones(len(travel), bool)
        for _ in range(_ITERATIONS):
            y, x, dy, dx = _end(k, along, across, travel)
            end = self._inside(y, x)
            residual = k - least - weight * end.value
            slope = 1.0 - weight * (end.d_along * dy + end.d_across * dx)
            if not active.any():
                break
            # Newton inside a shrinking bracket; bisection where its step leaves it or does not halve the last one.
            below = residual < 0.0
            low, high = np.where(below, k, low), np.where(below, high, k)
            new = k - residual / np.where(slope > 0.0, slope, 1.0)
            newton = (slope > 0.0) & (new >= low) & (new <= high) & (np.abs(new - k) <= 0.5 * last)
            new = np.where(newton, new, 0.5 * (low + high))
            last = np.abs(new - k)
            # Converged values are fixed: the result of a pair must not depend on other pairs.
            k = np.where(active, new, k)
            active = active & (last > 1e-14 * (1.0 + k))
        if not derivatives:
            return Flow(y, x, None)
        # The end for a given k, by along, across and travel; then k itself, which keeps the residual zero.
        kept, growth = np.exp(-k), _growth(k)
        zero = np.zeros_like(k)
        fixed = np.stack([np.stack([kept, zero, growth]), np.stack([zero, kept, zero])])
        d_late = 1.0 / (2.0 + travel) ** 2
        mean = (1.0 - late) * start.value + late * end.value
        given = np.stack(
            [
                (1.0 - late) * travel * start.d_along,
                (1.0 - late) * travel * start.d_across,
                mean + travel * d_late * (end.value - start.value),
            ]
        )
        by_end = weight * np.stack([end.d_along, end.d_across])
        d_k = (given + np.einsum("in,ijn->jn", by_end, fixed)) / slope
        return Flow(y, x, fixed + np.stack([dy, dx])[:, None] * d_k)

    def _inside(self, along: np.ndarray, across: np.ndarray) -> Resistance:
        """Return the resistance; a stress beyond the limit is first scaled back to it."""
        amount = np.sqrt(along * along + across * across)
        divisor = np.maximum(amount, 1.0)
        y, x = along / divisor, across / divisor
        psi, by_y, by_x = self.resistance(y, x)
        radial = np.where(amount > 1.0, by_y * y + by_x * x, 0.0)
        return Resistance(psi, (by_y - radial * y) / divisor, (by_x - radial * x) / divisor)


def _growth(k: np.ndarray) -> np.ndarray:
    """Return (1 − exp(−k))/k."""
    small = np.abs(k) < 1e-7
    return np.asarray(np.where(small, 1.0 - 0.5 * k, -np.expm1(-k) / np.where(small, 1.0, k)))


def _end(
    k: np.ndarray, along: np.ndarray, across: np.ndarray, travel: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the stress along and across at the path's end for a given k, and their derivatives by k."""
    kept, growth = np.exp(-k), _growth(k)
    small = k < 1e-4
    d_growth = np.where(small, -0.5 + k / 3.0, (kept - growth) / np.where(small, 1.0, k))
    return kept * along + growth * travel, kept * across, d_growth * travel - kept * along, -kept * across


def resistance_of_power(
    along: np.ndarray, across: np.ndarray, exponent: float, unloading_share: float
) -> Resistance:
    """Return the resistance of a law that loses |τ₁/R_G|^n along its stress; see Bouc-Wen's."""
    # Far below the smallest stress that matters; it keeps negative powers finite.
    square = np.maximum(along * along + across * across, 1e-30)
    slope = np.where(along > 0.0, 1.0, 1.0 - 2.0 * unloading_share)
    less = square ** (0.5 * exponent - 2.0)
    power, loading = less * square, slope * along
    common = (exponent - 2.0) * less * loading
    return Resistance(power * loading, common * along + power * slope, common * across)
