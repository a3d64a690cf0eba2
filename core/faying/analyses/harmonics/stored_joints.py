"""Responses of the joints at a frame of a static analysis."""

from collections.abc import Sequence

import numpy as np

from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.interface import JointForce, JointResponse
from faying.reduction.body import ReducedBody
from faying.results.results import Results


def stored_joints(
    free: ReducedBody,
    laws: Sequence[tuple[ContactLaw, FrictionLaw | None]],
    results: Results,
    frame: int,
) -> list[tuple[JointResponse, bool]]:
    """Return each joint's response at a frame, and whether friction acts in it; arguments as of `stored_forces`."""
    q, found = results.coordinates(frame), []
    assert q is not None
    for force, history in stored_forces(free, laws, results, frame):
        committed = force.initial_history() if history is None else history
        found.append((force.evaluate(q, committed, 0.0, jacobian=False), history is not None))
    return found


def stored_forces(
    free: ReducedBody,
    laws: Sequence[tuple[ContactLaw, FrictionLaw | None]],
    results: Results,
    frame: int,
) -> list[tuple[JointForce, np.ndarray | None]]:
    """Return each joint's force at a frame, and its committed history; None where friction does not act.

    Args:
        free: the reduced body of the analysis, free in its Buckens frame.
        laws: contact and friction law of each of its joints.
        results: of the analysis.
        frame: number of the frame.
    """
    body = free.clamped_to(results.frame_of_reference).preloaded(results.settings.get("preloads", ()))
    found = []
    for rows, (contact, friction) in zip(body.joints, laws, strict=True):
        history, offset = results.history(rows.name, frame), results.gap_offset(rows.name, frame)
        force = JointForce(rows, contact, None if history is None else friction)
        found.append((force if offset is None else force.lifted(offset), history))
    return found
