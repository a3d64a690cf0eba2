"""Joint modes by unweighted proper orthogonal decomposition of the trial vector derivatives."""

from typing import ClassVar

import numpy as np

from faying.progress import PartialProgress, Progress
from faying.reduction.joint_modes import joint_mode_methods
from faying.reduction.joint_modes._pod import PodMethod, orthonormal_metric
from faying.reduction.tvd import TrialVectorDerivatives


@joint_mode_methods.register("pod")
class Pod(PodMethod):
    """POD of all TVDs in the Euclidean sense over the degrees of freedom (thesis eqs. 3.48, 3.49)."""

    title: ClassVar[str] = "POD of trial vector derivatives"
    advice: ClassVar[str] = (
        "The thesis' first method. The weighted one holds more of the energy with the same number of modes."
    )

    def metric(
        self, derivatives: TrialVectorDerivatives, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return scales (c',) and directions (c, c') of the plain inner product of the responses.

        It is the only method that needs all responses at once.
        """
        everything = np.eye(len(derivatives.compliance))
        responses = derivatives.responses(everything, PartialProgress(progress, 0.0, 0.9))
        return orthonormal_metric(responses, progress)
