"""Normal stress zz in the directions of the undeformed body."""

import numpy as np

from faying.results.fields import fields
from faying.results.fields._stress import StressField


@fields.register("stress_zz")
class StressZz(StressField):
    """Normal stress zz in the directions of the undeformed body."""

    title = "Stress zz"
    colours = "diverging"

    def of_tensors(self, stresses: np.ndarray) -> np.ndarray:
        """Return (n,)."""
        return stresses[:, 2]
