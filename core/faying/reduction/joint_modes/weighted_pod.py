"""Joint modes by stiffness-weighted proper orthogonal decomposition of the trial vector derivatives."""

from typing import ClassVar

import numpy as np
import scipy.linalg as la

from faying.params import parameter
from faying.progress import Part, Progress
from faying.reduction.joint_modes import JointModeMethod, joint_mode_methods
from faying.reduction.joint_modes._pod import pod
from faying.reduction.orthogonal import with_largest_positive
from faying.reduction.problem import JointModeProblem


@joint_mode_methods.register("weighted_pod")
class WeightedPod(JointModeMethod):
    """Weighted POD of all TVDs (thesis eqs. 3.47, 3.50, 3.51): best share of their deformation energy.

    The modes are orthonormal in the stiffness.
    """

    kind: ClassVar[str] = "weighted_pod"
    title: ClassVar[str] = "Weighted POD of trial vector derivatives"

    count: int = parameter(
        40, title="Joint modes", ge=0, le=2000,
        meaning="Number g of joint modes. The ratio w(g) tells how much of the derivatives' energy they hold.",
    )  # fmt: skip

    def build(self, problem: JointModeProblem, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (joint modes (n_dofs, g), singular values of the normalised TVDs)."""
        if not self.count:
            return np.zeros((problem.interior.n_dofs, 0)), np.zeros(0)
        derivatives = problem.derivatives(Part(progress, 0.0, 0.9))
        # Energy of responses · y is yᵀ compliance y.
        energies, directions = la.eigh(derivatives.compliance)
        kept = energies > 1e-14 * energies[-1]
        weights, values = pod(
            np.sqrt(energies[kept]), directions[:, kept], derivatives.coefficients, self.count
        )
        progress.report(1.0, "weighted POD")
        return with_largest_positive(derivatives.responses @ weights), values
