"""Forces that weak ties carry in parallel to the contact of their joints."""

from collections.abc import Iterable

import numpy as np

from faying.reduction.body import JointRows
from faying.results.writer import ResultsWriter

_FORCE, _NORMAL, _REACTION = " tie force", " normal force", " reaction force "


def tie_force(name: str, force: np.ndarray) -> dict[str, float]:
    """Return {"<joint> tie force": size} of the force (3,) that the weak ties of a joint carry together."""
    return {name + _FORCE: float(np.linalg.norm(force))}


def tie_curves(joints: Iterable[JointRows], q: np.ndarray, prefix: str = "") -> dict[str, float]:
    """Return {"<joint> tie force": value} of the joints that have weak ties.

    Args:
        joints: rows of the joints.
        q: (r,) flexible coordinates.
        prefix: stands before the names.
    """
    found: dict[str, float] = {}
    for rows in joints:
        if rows.tie_force is not None:
            found |= tie_force(prefix + rows.name, rows.tie_force @ q)
    return found


def tie_shares(writer: ResultsWriter, applied: float = 0.0, support: str = "") -> dict[str, float]:
    """Return, for the run report, the share of the load that the weak ties of each joint carry.

    It is the largest force of the ties over the largest sum of it and the joint's normal force, or over the external
    force if that is larger: the share then is small in a joint that is not loaded.

    Args:
        writer: of the run, all frames written.
        applied: sum of the magnitudes of external forces on the body, without those at displaced nodes.
        support: the held interface node, whose reaction is not counted as an external force.
    """
    shares: dict[str, float] = {}
    held = f"{support}{_REACTION}"
    moved_by = [
        writer.curve(name) for name in writer.curve_names if _REACTION in name and not name.startswith(held)
    ]
    applied += sum(float(np.abs(forces).max(initial=0.0)) for forces in moved_by)
    for name in writer.curve_names:
        if name.endswith(_FORCE):
            joint = name.removesuffix(_FORCE)
            ties = writer.curve(name)
            whole = max(float((ties + writer.curve(joint + _NORMAL)).max(initial=0.0)), applied)
            shares[joint] = float(ties.max(initial=0.0)) / whole if whole else 0.0
    return shares
