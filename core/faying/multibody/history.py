"""What a system remembers from its last accepted state."""

from dataclasses import dataclass

import numpy as np

from faying.joints.interface import JointResponse
from faying.multibody.contacts.contact import ContactMemory, ContactResponse
from faying.records import record


@record("system history")
class History:
    """What a system remembers from its last accepted state.

    Attributes:
        joints: friction of each joint.
        angles: continuous angles of each constraint.
        force_angles: continuous angles of each force between markers.
        contacts: of each contact between parts.
    """

    joints: tuple[np.ndarray, ...]
    angles: tuple[np.ndarray, ...]
    force_angles: tuple[np.ndarray, ...]
    contacts: tuple[ContactMemory, ...] = ()


@dataclass(frozen=True)
class Answered:
    """Responses of joints and contacts at a trial state; their histories are computed only when it is accepted."""

    answers: list[JointResponse]
    angles: tuple[np.ndarray, ...]
    force_angles: tuple[np.ndarray, ...]
    touched: list[ContactResponse]

    @property
    def joints(self) -> tuple[np.ndarray, ...]:
        """What each joint would remember, (n_pairs, h)."""
        return tuple(answer.history for answer in self.answers)

    @property
    def contacts(self) -> tuple[ContactMemory, ...]:
        """What each contact between parts would remember."""
        return tuple(answer.memory for answer in self.touched)
