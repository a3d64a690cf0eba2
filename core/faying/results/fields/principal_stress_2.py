"""Middle principal stress; tension is positive."""

import numpy as np

from faying.fem.stress_measures import principal_stresses
from faying.results.fields import fields
from faying.results.fields._stress import StressField


@fields.register("principal_stress_2")
class Principal2(StressField):
    """Middle principal stress; tension is positive."""

    title = "Principal stress 2"
    colours = "diverging"

    def of_tensors(self, stresses: np.ndarray) -> np.ndarray:
        """Return (n,)."""
        return principal_stresses(stresses)[:, 1]
