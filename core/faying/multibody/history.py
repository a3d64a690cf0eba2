"""What a system remembers from its last accepted state."""

from dataclasses import dataclass

import numpy as np

from faying.joints.interface import JointResponse
from faying.records import record


@record("system history")
class History:
    """What a system remembers from its last accepted state.

    Attributes:
        joints: friction of each joint.
        angles: continuous angles of each constraint.
        force_angles: continuous angles of each force between markers.
    """

    joints: tuple[np.ndarray, ...]
    angles: tuple[np.ndarray, ...]
    force_angles: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Answered:
    """Answers of the joints at a trial state; few are accepted, so their histories are made then."""

    answers: list[JointResponse]
    angles: tuple[np.ndarray, ...]
    force_angles: tuple[np.ndarray, ...]

    @property
    def joints(self) -> tuple[np.ndarray, ...]:
        """What each joint would remember."""
        return tuple(answer.history for answer in self.answers)
