"""A joint mode for every contact pair: the reference to which fewer joint modes converge."""

from typing import ClassVar

import numpy as np
import scipy.sparse as sp

from faying.params import parameter
from faying.progress import Progress
from faying.reduction.contact_responses import contact_responses
from faying.reduction.joint_modes import JointModeMethod, joint_mode_methods
from faying.reduction.problem import JointModeProblem


@joint_mode_methods.register("every_pair")
class EveryPair(JointModeMethod):
    """Static responses to a force at each pair alone: no contact pressure is left out.

    Static contact is then exact, with `shear` friction too. For small models only: the cost of a step grows with the
    third power of the number of pairs.
    """

    title: ClassVar[str] = "Every contact pair"
    advice: ClassVar[str] = (
        "Small joints and references: exact contact responses, but a mode for each contact pair."
    )

    shear: bool = parameter(
        False, title="With shear",
        meaning="Whether each pair has responses to forces along both tangents too, for joints with friction: three "
        "times as many modes.",
    )  # fmt: skip

    def build(self, problem: JointModeProblem, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (one response for each pair, with shear three (n_dofs, n_pairs or 3 n_pairs), no singular values)."""
        rows = problem.gap_rows
        if self.shear and problem.slip_rows is not None:
            rows = sp.vstack([rows, problem.slip_rows], format="csr")
        modes = contact_responses(problem.interior, rows, np.eye(rows.shape[0]), progress, free=problem.free)
        return modes, np.zeros(0)
