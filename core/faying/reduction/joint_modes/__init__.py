"""Joint-mode methods: how the component modes are extended for a joint. A member is one file."""

from abc import abstractmethod

import numpy as np

from faying.params import Member
from faying.progress import Progress
from faying.reduction.problem import JointModeProblem
from faying.registry import Registry

joint_mode_methods: Registry[type["JointModeMethod"]] = Registry("joint-mode method", __name__)


class JointModeMethod(Member):
    """Computes g joint modes of a body."""

    @abstractmethod
    def build(self, problem: JointModeProblem, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (joint modes (n_dofs, g), singular values (k,) for w(g), descending; may be empty).

        Args:
            problem: the held body, its component modes and pairs.
            progress: reports and cancels.
        """
