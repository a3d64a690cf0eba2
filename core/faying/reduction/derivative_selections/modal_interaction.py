"""Derivatives of trial vectors that move together in linear statics."""

from typing import ClassVar

import numpy as np

from faying.params import parameter
from faying.reduction.derivative_selections import (
    DerivativeSelection,
    ModalContact,
    derivative_selections,
    smallest_set,
)


@derivative_selections.register("modal_interaction")
class ModalInteraction(DerivativeSelection):
    """Maximum modal interaction W_ij = Σ |ζ_i ζ_j| (thesis C.1.2, eq. C.1).

    The sum runs over linear static load cases at the interface nodes in place of the time of a linear
    simulation. Coordinates count by their energy, so that the scaling of a trial vector does not matter.
    """

    title: ClassVar[str] = "Maximum modal interaction"

    share: float = parameter(
        0.95, title="Share", gt=0.0, le=1.0,
        meaning="As few derivatives as make up this share of the sum of all interaction factors.",
    )  # fmt: skip

    def choose(self, contact: ModalContact) -> np.ndarray:
        """Return (r, r) the pairs with the largest interaction factors."""
        sizes = np.abs(contact.amplitudes)
        return smallest_set(sizes @ sizes.T, self.share)
