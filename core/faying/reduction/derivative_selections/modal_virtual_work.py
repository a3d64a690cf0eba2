"""Derivatives by the work that the contact forces of one trial vector do on another."""

import numpy as np

from faying.params import parameter
from faying.reduction.derivative_selections import (
    DerivativeSelection,
    ModalContact,
    derivative_selections,
    smallest_set,
)


@derivative_selections.register("modal_virtual_work")
class ModalVirtualWork(DerivativeSelection):
    """Modal virtual work W_ij = |φ_jᵀ f(ζ_i φ_i)| (thesis C.1.3, eq. C.2).

    f is the contact force of a linear penalty under trial vector i alone, in the stronger of both directions,
    at its largest amplitude in linear static load cases at the interface nodes (the thesis: in a linear
    simulation). The trial vectors count with unit energy.
    """

    share: float = parameter(
        0.95, title="Share", gt=0.0, le=1.0,
        meaning="As few derivatives as make up this share of the sum of all works.",
    )  # fmt: skip

    def choose(self, contact: ModalContact) -> np.ndarray:
        """Return (r, r) the pairs with the largest works."""
        size = np.abs(contact.amplitudes).max(axis=1)
        works = np.zeros((len(size), len(size)))
        for sign in (1.0, -1.0):
            gaps = contact.initial_gaps[:, None] + sign * contact.gaps * size
            forces = contact.weights[:, None] * np.minimum(gaps, 0.0)
            works = np.maximum(works, np.abs(forces.T @ contact.gaps))
        return smallest_set(works, self.share)
