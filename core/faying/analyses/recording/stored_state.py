"""The state of a system at a frame of an earlier run."""

import numpy as np

from faying.analyses.recording.contact_records import contact_path
from faying.errors import ModelError
from faying.multibody.constraints import Constraint
from faying.multibody.forces import Force
from faying.multibody.history import History
from faying.multibody.part import RIGID
from faying.multibody.redundancy import Freedom, find_freedom
from faying.multibody.system import MultibodySystem
from faying.results.names import path_of
from faying.results.results import Results

ACTIVE_CONSTRAINTS, ACTIVE_FORCES, HELD = "active_constraints", "active_forces", "held_by_constraints"
"""Where it is, in motions with events, which constraints and forces are active, and where constraints hold parts."""
ANGLES, FORCE_ANGLES = "angles", "force_angles"
"""Where the continuous angles of constraints and of forces are among the datasets of results."""


def stored_state(
    system: MultibodySystem, results: Results, frame: int = -1
) -> tuple[float, np.ndarray, np.ndarray, History]:
    """Return time, q (n,), v (n,) and history at a frame.

    Args:
        system: the same system.
        results: of its earlier motion.
        frame: number of the frame; −1 for the last one.

    Raises:
        ModelError: when there is no such frame, or the parts do not match.
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
            joints.append(force.resting_history(q[at][RIGID:]) if history is None else history)
    angles, force_angles = (
        tuple(
            results.named(path_of(where, member.name), frame) if len(first) else first
            for member, first in known
        )
        for where, known in counted_angles(system, system.initial_history())
    )
    paths = [contact_path(contact, "anchors") for contact in system.contacts.members]
    tables = [results.named(path, frame) if results.has(path) else None for path in paths]
    contacts = system.contacts.with_references(q, tables)
    return float(results.values[frame]), q, v, History(tuple(joints), angles, force_angles, contacts)


def system_at(
    system: MultibodySystem, freedom: Freedom, results: Results, frame: int = -1
) -> tuple[MultibodySystem, Freedom]:
    """Return a system with those constraints and forces active that were at a frame, and its freedom there.

    Args:
        system: as it is declared, without dependent equations; itself where no event had changed it.
        freedom: of it.
        results: of its earlier motion.
        frame: number of the frame; −1 for the last one.

    Raises:
        ModelError: as `stored_state`.
    """
    now = active_members(system)
    if not results.has(ACTIVE_CONSTRAINTS):
        return system, freedom
    stored = {path: results.named(path, frame) for path in now}
    if all(np.array_equal(now[path], stored[path]) for path in now):
        return system, freedom
    constraints, forces = [c.name for c in system.constraint_members], [f.name for f in system.force_members]
    whole = system.switched(
        dict(zip(constraints, (stored[ACTIVE_CONSTRAINTS] > 0.0).tolist(), strict=False)),
        dict(zip(forces, (stored[ACTIVE_FORCES] > 0.0).tolist(), strict=False)),
        dict(zip(constraints, stored[HELD].tolist(), strict=False)),
    )
    time, q, _, history = stored_state(whole, results, frame)
    freedom = find_freedom(whole, q, history, time)
    return (whole.without(freedom.redundant) if freedom.redundant else whole), freedom


def active_members(system: MultibodySystem) -> dict[str, np.ndarray]:
    """Return (k,) which constraints and forces are active, as frames of motions with events store it, by path."""
    return {
        ACTIVE_CONSTRAINTS: np.array([float(each.active) for each in system.constraint_members]),
        ACTIVE_FORCES: np.array([float(each.active) for each in system.force_members]),
        HELD: np.array(
            [float(getattr(c, c.held_by)) if c.held_by else 0.0 for c in system.constraint_members]
        ),
    }


def counted_angles(
    system: MultibodySystem, history: History
) -> tuple[tuple[str, list[tuple[Constraint | Force, np.ndarray]]], ...]:
    """Return the results' path for angles of constraints and that of forces, each with members and angles (k,)."""
    constraints = list(zip(system.constraint_members, history.angles, strict=True))
    return (
        (ANGLES, [*constraints]),
        (FORCE_ANGLES, list(zip(system.force_members, history.force_angles, strict=True))),
    )
