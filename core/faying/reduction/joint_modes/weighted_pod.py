"""Joint modes by stiffness-weighted proper orthogonal decomposition of the trial vector derivatives."""

from typing import ClassVar

import numpy as np
import scipy.linalg as la

from faying.linalg.background import patiently
from faying.progress import Progress
from faying.reduction.joint_modes import joint_mode_methods
from faying.reduction.joint_modes._pod import PodMethod
from faying.reduction.tvd import TrialVectorDerivatives


@joint_mode_methods.register("weighted_pod")
class WeightedPod(PodMethod):
    """Weighted POD of all TVDs (thesis eqs. 3.47, 3.50, 3.51): best share of their deformation energy.

    The modes are orthonormal in the stiffness.
    """

    title: ClassVar[str] = "Weighted POD of trial vector derivatives"
    advice: ClassVar[str] = (
        "Few modes for gaps and pressures of joints that open and close under all loads alike. Knows no friction: a "
        "joint that sticks is too stiff sideways."
    )

    def metric(
        self, derivatives: TrialVectorDerivatives, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return scales (c',) and directions (c, c') of the elastic energy: yᵀ compliance y for a response to y."""
        energies, directions = patiently(
            lambda: la.eigh(derivatives.compliance), progress, 0.0, "energy of the derivatives"
        )
        least = int(np.searchsorted(energies, 1e-14 * energies[-1], side="right"))
        return np.sqrt(energies[least:]), directions[:, least:]
