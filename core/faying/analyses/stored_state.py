"""The state of a system at a frame of an earlier run."""

import numpy as np

from faying.errors import ModelError
from faying.multibody.history import History
from faying.multibody.system import MultibodySystem
from faying.results.results import Results

ANGLES = "angles"
"""Where the continuous angles of constraints are among the datasets of results."""


def stored_state(
    system: MultibodySystem, results: Results, frame: int = -1
) -> tuple[float, np.ndarray, np.ndarray, History]:
    """Return time, q (n,), v (n,) and history at a frame.

    Args:
        system: whose motion it was.
        results: of that motion.
        frame: number of the frame; −1 for the last one.

    Raises:
        ModelError: when there is no such frame, or the parts are other ones.
    """
    count = results.n_frames
    if not -1 <= frame < count:
        raise ModelError(
            f"There is no frame {frame} to start from: the other motion has {count} frames.",
            f"Choose a number from 0 to {count - 1}, or −1 for the last frame.",
        )
    frame = frame % count
    q, v, joints = np.zeros(system.n), np.zeros(system.n), []
    for part, at in zip(system.parts, system.ranges, strict=True):
        if not part.n:
            continue
        stored = results.part(part.name) if part.name in results.part_names else None
        rates = stored.rates(frame) if stored is not None else None
        if stored is None or rates is None or len(rates) != part.n:
            raise ModelError(
                f"The other motion has no state of part {part.name!r} to start from.",
                "Run it again: its parts were others, or it was stored by an earlier version.",
            )
        q[at], v[at] = stored.position(frame), rates
        for force in part.joints:
            history = stored.history(getattr(force.rows, "name", ""), frame)
            joints.append(force.initial_history() if history is None else history)
    angles = tuple(
        results.named(f"{ANGLES}/{member.name}", frame) if member.n_angles() else np.zeros(0)
        for member in system.constraint_members
    )
    return float(results.values[frame]), q, v, History(tuple(joints), angles)
