"""Contact laws given as functions of the penetration below the closing gap."""

from abc import abstractmethod

import numpy as np

from faying.joints.contact_laws import ContactLaw

# Exponential laws continue along their tangent from this exponent on (e³⁰ = 10¹³), so that no gap overflows: such a
# gap is a bad guess of an iteration, never a state of a joint.
LARGEST_EXPONENT = 30.0


class PenetrationLaw(ContactLaw):
    """A law given by its pressure at positive penetrations; the pressure is zero beyond the closing gap."""

    @abstractmethod
    def of_penetration(self, depth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, dp/d depth) for depths (m,) > 0 below the closing gap."""

    def pressure(self, gap: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, dp/dgap), each shaped as `gap`; both zero from the closing gap on."""
        p, dp = np.zeros(gap.shape), np.zeros(gap.shape)
        depth = self.closing_gap() - gap
        closed = depth > 0.0
        p[closed], slope = self.of_penetration(depth[closed])
        dp[closed] = -slope
        return p, dp

    def closing_gap(self) -> float:
        """Return 0: pressure begins where the surfaces touch."""
        return 0.0


def exponential_growth(depth: np.ndarray, stiffness: float, length: float) -> tuple[np.ndarray, np.ndarray]:
    """Return p = a d (exp(d/ℓ) − 1) and its slope; beyond the largest exponent p continues along its tangent.

    Args:
        depth: (m,) d.
        stiffness: a, pressure per length.
        length: ℓ.
    """
    x = depth / length
    held = np.minimum(x, LARGEST_EXPONENT)
    grown = np.expm1(held)
    slope = stiffness * (grown + held * (grown + 1.0))
    return stiffness * length * held * grown + slope * (x - held) * length, slope
