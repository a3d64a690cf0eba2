"""Diagnosis of a step of a system that does not converge."""

from collections.abc import Callable, Sequence

import numpy as np

from faying.multibody.part import RIGID, Part
from faying.solvers.diagnosis import MovedJoint, StepDiagnosis, restless_pairs, unreal_pairs
from faying.units import amount

_LOOK = "Look at the expressions, tables and laws that act at that time."


def not_a_number(what: str, time: float) -> StepDiagnosis:
    """Return that the value of a force or constraint is not a finite number at a time."""
    return StepDiagnosis(f"{what} is not a number at t = {amount(time, 'time', 6)}", _LOOK)


def diagnose_motion(
    parts: Sequence[Part],
    ranges: Sequence[slice],
    q: np.ndarray,
    change: np.ndarray,
    scales: np.ndarray,
    stuck: Callable[[], tuple[str, ...]],
) -> StepDiagnosis:
    """Return the joint whose law gives no number or whose pairs swap, constraints that are stuck, or the restless part.

    Args:
        parts: of the system.
        ranges: of each part's coordinates among all.
        q: (n,) trial coordinates at the end of the step.
        change: (n,) their last correction; zeros before the first one.
        scales: (n,) lengths by which it is judged.
        stuck: returns the constraints that hold against each other there.
    """
    moved = []
    for part, at in zip(parts, ranges, strict=True):
        own, step = q[at][RIGID:], change[at][RIGID:]
        for joint in part.joints:
            name = getattr(joint.rows, "name", "joint")
            moved.append(MovedJoint(f"{part.name}: {name}", joint, own, step))
    found = unreal_pairs(moved)
    found = found if found.clause else restless_pairs(moved)
    if found.clause:
        return found
    if names := stuck():
        return StepDiagnosis(
            f"the constraints {', '.join(map(repr, names))} hold against each other there (a dead point)",
            "Let what is driven turn round before that place, or drive another part.",
        )
    if not change.any():
        return StepDiagnosis()
    worst = int(np.argmax(np.abs(scales * change)))
    part = next(p for p, at in zip(parts, ranges, strict=True) if at.start <= worst < at.stop)
    return StepDiagnosis(f"part {part.name!r} still moves most")
