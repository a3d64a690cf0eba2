"""A joint mode for every contact pair: what joint modes save, and the reference that they converge to."""

from typing import ClassVar

import numpy as np

from faying.progress import Progress
from faying.reduction.contact_responses import contact_responses
from faying.reduction.joint_modes import JointModeMethod, joint_mode_methods
from faying.reduction.problem import JointModeProblem


@joint_mode_methods.register("every_pair")
class EveryPair(JointModeMethod):
    """Static responses to a normal force at each pair alone: no contact pressure is left out.

    Static contact is then exact but for friction. For small models only: the cost of a step grows with the third
    power of the number of pairs.
    """

    kind: ClassVar[str] = "every_pair"
    title: ClassVar[str] = "Every contact pair"

    def build(self, problem: JointModeProblem, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (one response for each pair (n_dofs, n_pairs), no singular values)."""
        forces = np.eye(problem.gap_rows.shape[0])
        modes = contact_responses(problem.interior, problem.gap_rows, forces, progress, free=problem.free)
        return modes, np.zeros(0)
