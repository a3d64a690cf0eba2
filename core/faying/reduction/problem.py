"""The problem that a joint-mode method solves: the held body, its component modes, and its joints' pairs."""

from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp

from faying.progress import Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.interior import InteriorProblem
from faying.reduction.tvd import TrialVectorDerivatives, trial_vector_derivatives


@dataclass
class JointModeProblem:
    """Everything that joint modes may be computed from.

    Attributes:
        interior: the body held at its interface nodes, with its factor.
        components: the component modes Φ_CMS.
        gap_rows: CSR (n_pairs, n_dofs) of all joints, stacked in the body's order.
        weights: (n_pairs,) areas.
        initial_gaps: (n_pairs,).
    """

    interior: InteriorProblem
    components: ReductionBasis
    gap_rows: sp.csr_matrix
    weights: np.ndarray
    initial_gaps: np.ndarray
    _derivatives: TrialVectorDerivatives | None = field(default=None, repr=False)

    def derivatives(self, progress: Progress) -> TrialVectorDerivatives:
        """Return all trial vector derivatives; computed when first asked for."""
        if self._derivatives is None:
            self._derivatives = trial_vector_derivatives(
                self.interior, self.components.modes, self.gap_rows, self.weights, self.initial_gaps, progress
            )
        return self._derivatives
