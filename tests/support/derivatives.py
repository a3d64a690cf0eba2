"""All trial vector derivatives as columns, for small bodies."""

import numpy as np

from faying.progress import Silent
from faying.reduction.tvd import TrialVectorDerivatives


def all_derivatives(derivatives: TrialVectorDerivatives) -> np.ndarray:
    """Return (n_dofs, N) derivatives in the order of their labels."""
    return derivatives.responses(np.hstack(list(derivatives.coefficients())), Silent())
