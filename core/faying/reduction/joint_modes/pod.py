"""Joint modes by unweighted proper orthogonal decomposition of the trial vector derivatives."""

from typing import ClassVar

import numpy as np
import scipy.linalg as la

from faying.params import parameter
from faying.progress import Part, Progress
from faying.reduction.joint_modes import JointModeMethod, joint_mode_methods
from faying.reduction.joint_modes._pod import pod
from faying.reduction.orthogonal import with_largest_positive
from faying.reduction.problem import JointModeProblem


@joint_mode_methods.register("pod")
class Pod(JointModeMethod):
    """POD of all TVDs in the Euclidean sense over the degrees of freedom (thesis eqs. 3.48, 3.49)."""

    kind: ClassVar[str] = "pod"
    title: ClassVar[str] = "POD of trial vector derivatives"

    count: int = parameter(
        40, title="Joint modes", ge=0, le=2000,
        meaning="Number g of joint modes. The ratio w(g) tells how much of the derivatives' shapes they hold.",
    )  # fmt: skip

    def build(self, problem: JointModeProblem, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (joint modes (n_dofs, g), singular values of the normalised TVDs)."""
        if not self.count:
            return np.zeros((problem.interior.n_dofs, 0)), np.zeros(0)
        derivatives = problem.derivatives(Part(progress, 0.0, 0.9))
        # Responses = P diag(scales) directionsᵀ with P orthonormal: by SVD of the triangular factor.
        triangle = la.qr(derivatives.responses, mode="r")[0][: derivatives.responses.shape[1]]
        _, scales, transposed = la.svd(triangle)
        kept = scales > 1e-12 * scales[0]
        weights, values = pod(scales[kept], transposed[kept].T, derivatives.coefficients, self.count)
        progress.report(1.0, "POD")
        return with_largest_positive(derivatives.responses @ weights), values
