"""Joint modes by proper orthogonal decomposition of the fictive forces."""

from typing import ClassVar

import numpy as np
import scipy.linalg as la

from faying.params import parameter
from faying.progress import Part, Progress
from faying.reduction.joint_modes import JointModeMethod, joint_mode_methods
from faying.reduction.joint_modes._pod import pod
from faying.reduction.orthogonal import with_largest_positive
from faying.reduction.problem import JointModeProblem


@joint_mode_methods.register("pod_of_forces")
class PodOfForces(JointModeMethod):
    """POD of all fictive nodal forces; the modes are the static responses to the leading ones.

    Thesis eqs. 3.53, 3.54, 3.57 and algorithm 3.3. The weighted form (3.55) is the same as the weighted POD
    of the TVDs.
    """

    kind: ClassVar[str] = "pod_of_forces"
    title: ClassVar[str] = "POD of fictive forces"

    count: int = parameter(
        40, title="Joint modes", ge=0, le=2000,
        meaning="Number g of joint modes. The ratio w(g) tells how much of the fictive forces they hold.",
    )  # fmt: skip

    def build(self, problem: JointModeProblem, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (joint modes (n_dofs, g), singular values of the normalised forces)."""
        if not self.count:
            return np.zeros((problem.interior.n_dofs, 0)), np.zeros(0)
        derivatives = problem.derivatives(Part(progress, 0.0, 0.9))
        triangle = la.qr(derivatives.loads, mode="r")[0][: derivatives.loads.shape[1]]
        _, scales, transposed = la.svd(triangle)
        kept = scales > 1e-12 * scales[0]
        # Loads · weights are orthonormal forces; responses · weights are the shapes under them.
        weights, values = pod(scales[kept], transposed[kept].T, derivatives.coefficients, self.count)
        progress.report(1.0, "POD of forces")
        return with_largest_positive(derivatives.responses @ weights), values
