"""What keeps a step of a system from converging."""

from typing import TYPE_CHECKING

import numpy as np

from faying.multibody.part import RIGID
from faying.multibody.redundancy import stuck_constraints
from faying.solvers.diagnosis import MovedJoint, StepDiagnosis, restless_pairs, unreal_pairs

if TYPE_CHECKING:
    from faying.multibody.history import History
    from faying.multibody.system import MultibodySystem

_LOOK = "Look at the expressions, tables and laws that act at that time."
_DEAD_POINT = 0.02  # smallest singular value of the equations, each of length one


def describe_trouble(
    system: "MultibodySystem",
    time: float,
    q: np.ndarray,
    v: np.ndarray,
    history: "History",
    change: np.ndarray,
) -> StepDiagnosis:
    """Return what is not a number, the joint whose pairs swap, the constraints that are stuck at a dead point, or
    the part that the last correction moves most.
    """
    unreal = system.without_number(time, q, v, history)
    if unreal:
        return StepDiagnosis(f"{unreal} is not a number at t = {time:.6g}", _LOOK)
    moved = []
    for part, at in zip(system.parts, system.ranges, strict=True):
        own, step = q[at][RIGID:], change[at][RIGID:]
        for joint in part.joints:
            name = getattr(joint.rows, "name", "joint")
            moved.append(MovedJoint(f"{part.name}: {name}", joint, own, step))
    found = unreal_pairs(moved)
    found = found if found.clause else restless_pairs(moved)
    if found.clause or not len(change):
        return found
    stuck = stuck_constraints(system, time, q, history, _DEAD_POINT)
    if stuck:
        return StepDiagnosis(
            f"the constraints {', '.join(map(repr, stuck))} hold against each other there (a dead point)",
            "Let what is driven turn round before that place, or drive another part.",
        )
    worst = int(np.argmax(np.abs(system.scales * change)))
    part = next(p for p, at in zip(system.parts, system.ranges, strict=True) if at.start <= worst < at.stop)
    return StepDiagnosis(f"part {part.name!r} still moves most")
