"""Shear stress zx in the directions of the undeformed body."""

import numpy as np

from faying.results.fields import fields
from faying.results.fields._stress import StressField


@fields.register("stress_zx")
class StressZx(StressField):
    """Shear stress zx in the directions of the undeformed body."""

    title = "Stress zx"
    colours = "diverging"

    def of_tensors(self, stresses: np.ndarray) -> np.ndarray:
        """Return (n,)."""
        return stresses[:, 5]
