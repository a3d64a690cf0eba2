"""Derivatives that have to do with a preload mode."""

from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.reduction.derivative_selections import (
    DerivativeSelection,
    ModalContact,
    derivative_selections,
)


@derivative_selections.register("preload_related")
class PreloadRelated(DerivativeSelection):
    """Derivatives of preload modes, and of all others in the directions of preload modes (thesis eq. 3.70)."""

    title: ClassVar[str] = "Related to preload modes"

    def choose(self, contact: ModalContact) -> np.ndarray:
        """Return (r, r): rows and columns of the preload modes.

        Raises:
            ModelError: when the body has no preload mode.
        """
        if not contact.n_preloads:
            raise ModelError(
                "Only derivatives related to preload modes are wanted, but no preload mode is a trial vector.",
                "Add a preload case to the body and have preload modes, or take all derivatives.",
            )
        is_preload = np.arange(contact.gaps.shape[1]) >= contact.n_components
        return np.asarray(is_preload[:, None] | is_preload[None, :])
