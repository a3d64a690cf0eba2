"""Which trial vector derivatives take part (thesis C.1 and eq. 3.70). A member is one file."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from faying.params import Member
from faying.registry import Registry

derivative_selections: Registry[type["DerivativeSelection"]] = Registry("selection of derivatives", __name__)


@dataclass(frozen=True)
class ModalContact:
    """The data from which a selection chooses, with r = m + p trial vectors, preload modes last.

    Attributes:
        n_components: m, number of component modes.
        n_preloads: p, number of preload modes.
        amplitudes: (r, k) flexible coordinates of linear static load cases, without contact: unit loads at each
            interface dof that the body's inertia balances, scaled to equal energy, and each preload mode alone.
            The thesis takes these amplitudes from a linear simulation over time.
        gaps: (n_pairs, r) gap of each pair per trial vector.
        weights: (n_pairs,) areas.
        initial_gaps: (n_pairs,).
    """

    n_components: int
    n_preloads: int
    amplitudes: np.ndarray
    gaps: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray


class DerivativeSelection(Member):
    """Chooses among the derivatives ∂φ_i/∂ζ_j before any of them is computed."""

    @abstractmethod
    def choose(self, contact: ModalContact) -> np.ndarray:
        """Return (r, r) whether the derivative of trial vector i in direction j (both signs) takes part.

        Raises:
            ModelError: when nothing can be chosen this way.
        """


def smallest_set(weights: np.ndarray, share: float) -> np.ndarray:
    """Return a mask of the fewest largest weights whose sum is at least a share of the total; at least one.

    Args:
        weights: of any shape, not negative.
        share: from 0 to 1.
    """
    order = np.argsort(weights, axis=None, kind="stable")[::-1]
    sums = np.cumsum(weights.ravel()[order])
    count = int(np.searchsorted(sums, share * sums[-1] * (1.0 - 1e-12))) + 1
    chosen = np.zeros(weights.size, bool)
    chosen[order[:count]] = True
    return chosen.reshape(weights.shape)
