"""Joint modes by proper orthogonal decomposition of the fictive forces."""

from typing import ClassVar

import numpy as np

from faying.progress import Progress
from faying.reduction.joint_modes import joint_mode_methods
from faying.reduction.joint_modes._pod import PodMethod, orthonormal_metric
from faying.reduction.tvd import TrialVectorDerivatives


@joint_mode_methods.register("pod_of_forces")
class PodOfForces(PodMethod):
    """POD of all fictive nodal forces; the modes are the static responses to the leading ones.

    Thesis eqs. 3.53, 3.54, 3.57 and algorithm 3.3. The weighted form (3.55) is the same as the weighted POD
    of the TVDs.
    """

    title: ClassVar[str] = "POD of fictive forces"
    advice: ClassVar[str] = (
        "Where pressures and gap norms count more than the motion; needs no derivative shapes in memory."
    )

    def metric(
        self, derivatives: TrialVectorDerivatives, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return scales (c',) and directions (c, c') of the plain inner product of the nodal loads.

        The joint modes are the responses to the loads' modes, with the same weights.
        """
        return orthonormal_metric(derivatives.loads(), progress)
