"""Largest shear stress (Tresca)."""

import numpy as np

from faying.fem.stress_measures import largest_shear
from faying.results.fields import fields
from faying.results.fields._stress import StressField


@fields.register("maximum_shear")
class MaximumShear(StressField):
    """Largest shear stress (Tresca)."""

    order = 20
    title = "Maximum shear stress"

    def of_tensors(self, stresses: np.ndarray) -> np.ndarray:
        """Return (n,)."""
        return largest_shear(stresses)
