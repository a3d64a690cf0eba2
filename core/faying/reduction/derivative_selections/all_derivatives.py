"""All trial vector derivatives."""

import numpy as np

from faying.reduction.derivative_selections import (
    DerivativeSelection,
    ModalContact,
    derivative_selections,
)


@derivative_selections.register("all")
class AllDerivatives(DerivativeSelection):
    """Every trial vector in every direction (thesis algorithm 3.1)."""

    def choose(self, contact: ModalContact) -> np.ndarray:
        """Return (r, r) True everywhere."""
        r = contact.gaps.shape[1]
        return np.ones((r, r), bool)
