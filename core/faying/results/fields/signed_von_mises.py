"""Von Mises stress with the sign of the mean stress, so that tension and compression differ."""

import numpy as np

from faying.fem.stress_measures import von_mises
from faying.results.fields import fields
from faying.results.fields._stress import StressField


@fields.register("signed_von_mises")
class SignedVonMises(StressField):
    """Von Mises stress, negative where compression prevails; used to count the cycles of fatigue."""

    order = 1
    title = "Signed von Mises stress"
    colours = "diverging"

    def of_tensors(self, stresses: np.ndarray) -> np.ndarray:
        """Return (n,)."""
        return np.asarray(np.copysign(von_mises(stresses), stresses[:, :3].sum(axis=1)))
