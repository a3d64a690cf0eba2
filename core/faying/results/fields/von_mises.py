"""Equivalent stress after von Mises."""

import numpy as np

from faying.fem.stress_measures import von_mises
from faying.results.fields import fields
from faying.results.fields._stress import StressField


@fields.register("von_mises")
class VonMises(StressField):
    """Equivalent stress after von Mises."""

    order = 0
    title = "Von Mises stress"

    def of_tensors(self, stresses: np.ndarray) -> np.ndarray:
        """Return (n,)."""
        return von_mises(stresses)
