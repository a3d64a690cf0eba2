"""Joint-mode methods: how the component modes are extended for a joint. A member is one file."""

from abc import abstractmethod

import numpy as np

from faying.params import Member
from faying.progress import Progress
from faying.reduction.tvd import TrialVectorDerivatives
from faying.registry import Registry

joint_mode_methods: Registry[type["JointModeMethod"]] = Registry("joint-mode method", __name__)


class JointModeMethod(Member):
    """Chooses g joint modes from the trial vector derivatives."""

    @abstractmethod
    def build(self, derivatives: TrialVectorDerivatives, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (joint modes (n_dofs, g), singular values (k,)), the latter descending.

        Args:
            derivatives: all trial vector derivatives, in factored form.
            progress: reports and cancels.
        """
