"""More vibration modes in place of joint modes, which the thesis compares joint modes with."""

from typing import ClassVar

import numpy as np

from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.fixed_interface_modes import fixed_interface_modes
from faying.reduction.joint_modes import JointModeMethod, joint_mode_methods
from faying.reduction.orthogonal import with_largest_positive
from faying.reduction.problem import JointModeProblem


@joint_mode_methods.register("vibration_modes")
class VibrationModes(JointModeMethod):
    """Fixed-interface vibration modes beyond those of the component modes, independent of the joint."""

    title: ClassVar[str] = "Additional vibration modes"
    advice: ClassVar[str] = "For comparison only: shows what is missing without joint modes."

    count: int = parameter(
        40, title="Additional modes", ge=0, le=2000,
        meaning="Number of further fixed-interface modes, above those in the component modes.",
    )  # fmt: skip

    def build(self, problem: JointModeProblem, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (vibration modes (n_dofs, g), no singular values)."""
        interior = problem.interior
        if not self.count:
            return np.zeros((interior.n_dofs, 0)), np.zeros(0)
        constraint_modes = len(interior.interface_dofs) - interior.n_held_motions
        # The first group is the method's own; load modes and bolt modes behind it are no vibration modes.
        first = max(problem.components.groups[0].stop - constraint_modes, 0)
        part = PartialProgress(progress, 0.0, 1.0, "vibration modes")
        modes = fixed_interface_modes(interior, first + self.count, part)[:, first:]
        return with_largest_positive(modes), np.zeros(0)
