"""Joint modes by stiffness-weighted proper orthogonal decomposition of the trial vector derivatives."""

from typing import ClassVar

import numpy as np
import scipy.linalg as la

from faying.params import parameter
from faying.progress import Progress
from faying.reduction.joint_modes import JointModeMethod, joint_mode_methods
from faying.reduction.tvd import TrialVectorDerivatives


@joint_mode_methods.register("weighted_pod")
class WeightedPod(JointModeMethod):
    """Weighted POD of all TVDs (thesis eqs. 3.47, 3.50, 3.51): best share of their deformation energy.

    The thesis solves the eigenproblem of the Gram matrix, which halves the digits. Here the normalised TVDs
    are written in an energy-orthonormal basis of their span, and a singular value decomposition of these
    few coordinates gives the same modes with all digits. The modes are orthonormal in the stiffness.
    """

    kind: ClassVar[str] = "weighted_pod"
    title: ClassVar[str] = "Weighted POD of trial vector derivatives"

    count: int = parameter(
        40, title="Joint modes", ge=0, le=2000,
        meaning="Number g of joint modes. The ratio w(g) tells how much of the derivatives' energy they hold.",
    )  # fmt: skip

    def build(self, derivatives: TrialVectorDerivatives, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (joint modes (n_dofs, g), singular values of the normalised TVDs)."""
        progress.report(0.0, "weighted POD")
        # Energy-orthonormal basis of the responses: x = responses · V D^(-1/2) y, energy = |y|².
        energies, directions = la.eigh(derivatives.compliance)
        kept = energies > 1e-14 * energies[-1]
        root = np.sqrt(energies[kept])
        coordinates = (root[:, None] * directions[:, kept].T) @ derivatives.coefficients

        # Normalise each TVD to unit energy (eq. 3.47), then decompose.
        normalised = coordinates / np.linalg.norm(coordinates, axis=0)
        left, values, _ = la.svd(normalised, full_matrices=False)
        g = min(self.count, left.shape[1])
        modes = derivatives.responses @ (directions[:, kept] @ (left[:, :g] / root[:, None]))
        modes *= np.where(modes[np.argmax(np.abs(modes), axis=0), np.arange(g)] < 0, -1.0, 1.0)
        progress.report(1.0, "weighted POD")
        return modes, values
