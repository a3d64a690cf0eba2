"""Hysteretic laws whose slip costs stress in the direction of the stress: Valanis, Bouc-Wen, Masing."""

from abc import abstractmethod
from collections.abc import Callable

import numpy as np

from faying.joints.friction_laws._hysteretic import HystereticLaw, implicit_share

_H = 1e-30
_ITERATIONS = 100


class ResistedLaw(HystereticLaw):
    """dτ₁ = c₁ (ds − ψ τ₁/R_G |ds|), with a resistance 0 ≤ ψ ≤ 1 that makes the law.

    Where ψ is zero the contact sticks, in any direction; ψ is one when the stress has reached the limit and slip
    goes its way. With the resistance frozen at a mean over the path the equation has an exponential solution
    with one unknown, k = ∫ ψ c₁/R_G |ds|, for which one scalar equation is solved at each pair.
    """

    @abstractmethod
    def resistance(self, along: np.ndarray, across: np.ndarray) -> np.ndarray:
        """Return ψ (n,) for stress along and across the slip, over the limit; its amount is at most one."""

    def flow(
        self, along: np.ndarray, across: np.ndarray, travel: np.ndarray, guess: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return stress along and across at the path's end, and k; see `HystereticLaw.flow`."""
        late = implicit_share(travel)
        least = (1.0 - late) * travel * self._inside(along, across)

        def end(k: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            kept = np.exp(-k)
            small = np.abs(k) < 1e-7
            growth = np.where(small, 1.0 - 0.5 * k, -np.expm1(-k) / np.where(small, 1.0, k))
            return kept * along + growth * travel, kept * across

        def residual(k: np.ndarray) -> np.ndarray:
            return np.asarray(k - least - late * travel * self._inside(*end(k)))

        if guess is None:
            k = _root(residual, least, late * travel)
            return *end(k), k
        # One Newton step from the solution carries the imaginary parts over to k.
        slope = (residual(guess + 1j * _H) - residual(guess)).imag / _H
        k = guess - residual(guess.astype(complex)) / slope
        return *end(k), k

    def _inside(self, along: np.ndarray, across: np.ndarray) -> np.ndarray:
        """Return the resistance of a stress that is taken back to the limit where it is beyond."""
        amount = np.sqrt(along**2 + across**2)
        share = np.where(amount.real > 1.0, 1.0 / np.where(amount.real > 1.0, amount, 1.0), 1.0)
        return self.resistance(share * along, share * across)


def _root(residual: Callable[[np.ndarray], np.ndarray], least: np.ndarray, width: np.ndarray) -> np.ndarray:
    """Return where residual(k) = 0 in [least, least + width] by Newton's method inside a shrinking bracket."""
    low, high = least, least + width
    k, last, active = low - residual(low), width, np.ones(len(low), bool)
    for _ in range(_ITERATIONS):
        value = residual(k + 1j * _H)
        below = value.real < 0.0
        low, high = np.where(below, k, low), np.where(below, high, k)
        slope = value.imag / _H
        new = k - value.real / np.where(slope > 0.0, slope, 1.0)
        # Bisection where Newton's step leaves the bracket or does not even halve the last one (at a kink).
        newton = (slope > 0.0) & (new >= low) & (new <= high) & (np.abs(new - k) <= 0.5 * last)
        new = np.where(newton, new, 0.5 * (low + high))
        last = np.abs(new - k)
        # What has been found stays: a pair's answer shall not depend on the pairs beside it.
        k = np.where(active, new, k)
        active = active & (last > 1e-14 * (1.0 + k))
        if not active.any():
            break
    return np.asarray(k)
