"""Derivatives of trial vectors in their own direction."""

from typing import ClassVar

import numpy as np

from faying.reduction.derivative_selections import (
    DerivativeSelection,
    ModalContact,
    derivative_selections,
)


@derivative_selections.register("self")
class SelfDerivatives(DerivativeSelection):
    """Each trial vector in its own direction only (thesis C.1.1): few, and blind to the others' contact."""

    title: ClassVar[str] = "Self derivatives"

    def choose(self, contact: ModalContact) -> np.ndarray:
        """Return (r, r) the diagonal."""
        return np.eye(contact.gaps.shape[1], dtype=bool)
