"""Joints inside the parts of a system, as springs about a state of the system."""

import numpy as np

from faying.joints.linearized import Sticking, pair_springs, touching_springs
from faying.joints.sampled import SampledJointForce, SampledResponse
from faying.multibody.history import History
from faying.multibody.system import MultibodySystem


def springs_in_joints(
    system: MultibodySystem, q: np.ndarray, history: History, sticking: Sticking
) -> list[np.ndarray]:
    """Return the stiffness (r, r) of each of the system's `numbered_joints`, its closed pairs replaced by springs.

    Where no pair of a joint is under pressure, the pairs that touch count as closed.

    Args:
        system: with the joints.
        q: (n,) coordinates of the state.
        history: there.
        sticking: which closed pairs hold each other sideways.
    """
    found = []
    answers = system.respond(q, history, 0.0)
    for (_, joint), answer in zip(system.numbered_joints, answers, strict=True):
        if isinstance(joint, SampledJointForce) and isinstance(answer, SampledResponse):
            joint, answer = joint.few, answer.few
        laws, weights = (joint.contact_law, joint.friction_law), joint.rows.weights
        if answer.closed.touching.any():
            springs = pair_springs(*laws, answer, weights, sticking)
        else:
            springs = touching_springs(*laws, answer.gap, weights, sticking)
        found.append(springs.over(joint.rows))
    return found
