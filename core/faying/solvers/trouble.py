"""Which contact pairs keep a step from converging, as a clause for an error message."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from faying.joints.interface import JointForce

_MOST = 3  # pairs that are named


class MovedJoint(NamedTuple):
    """A joint by its full name, its coordinates (r,), and their last correction (r,)."""

    name: str
    joint: JointForce
    coordinates: np.ndarray
    change: np.ndarray


def restless_pairs(joints: Iterable[MovedJoint]) -> str:
    """Return "joint 'cap' opens and closes at 12 pairs (4, 17, 30, …)", of the joint where most do; "" for none."""
    worst, most = "", 0
    for name, joint, coordinates, change in joints:
        gap = joint.rows.initial_gaps + joint.rows.normal @ coordinates
        closing = joint.contact_law.closing_gap()
        moved = joint.rows.normal @ change
        swapping = np.flatnonzero((gap < closing) != (gap + moved < closing))
        if len(swapping) > most:
            first = swapping[np.argsort(-np.abs(moved[swapping]), kind="stable")][:_MOST]
            listed = ", ".join(str(int(pair)) for pair in first) + (", …" if len(swapping) > _MOST else "")
            pairs = "pair" if len(swapping) == 1 else "pairs"
            worst, most = (
                f"joint {name!r} opens and closes at {len(swapping)} {pairs} ({listed})",
                len(swapping),
            )
    return worst
