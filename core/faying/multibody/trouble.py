"""What keeps a step of a system from converging, as a clause for an error message."""

from typing import TYPE_CHECKING

import numpy as np

from faying.multibody.part import RIGID
from faying.solvers.trouble import MovedJoint, restless_pairs

if TYPE_CHECKING:
    from faying.multibody.history import History
    from faying.multibody.system import MultibodySystem


def describe_trouble(
    system: "MultibodySystem",
    time: float,
    q: np.ndarray,
    v: np.ndarray,
    history: "History",
    change: np.ndarray,
) -> str:
    """Return what is not a number, the joint whose pairs swap, or the part that the last correction moves most."""
    unreal = system.without_number(time, q, v, history)
    if unreal:
        return f"{unreal} is not a number at t = {time:.6g}"
    moved = []
    for part, at in zip(system.parts, system.ranges, strict=True):
        own, step = q[at][RIGID:], change[at][RIGID:]
        for joint in part.joints:
            name = getattr(joint.rows, "name", "joint")
            moved.append(MovedJoint(f"{part.name}: {name}", joint, own, step))
    swapping = restless_pairs(moved)
    if swapping or not len(change):
        return swapping
    worst = int(np.argmax(np.abs(system.scales * change)))
    part = next(p for p, at in zip(system.parts, system.ranges, strict=True) if at.start <= worst < at.stop)
    return f"part {part.name!r} still moves most"
