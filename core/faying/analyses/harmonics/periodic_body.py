"""A reduced body that vibrates periodically about an equilibrium, with contact and friction, in its stuck modes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faying.analyses import BodyModel, needed
from faying.analyses.harmonics.periodic_structure import WORK, PeriodicFrame, PeriodicStructure
from faying.analyses.harmonics.stored_joints import stored_forces
from faying.errors import ModelError
from faying.joints.interface import JointForce
from faying.joints.linearized import pair_springs
from faying.progress import Progress
from faying.reduction.body import ReducedBody
from faying.reduction.quality import ritz_modes
from faying.results.names import path_of
from faying.results.results import Results
from faying.solvers.equilibrium import solve_equilibrium


@dataclass(frozen=True, eq=False, kw_only=True)
class PeriodicBody(PeriodicStructure):
    """A held body in its stuck modes.

    Attributes:
        held: the reduced body.
        gap_offsets: (n_pairs,) by how much the gaps of each joint are smaller than those of the body under the preload
            cases of the analysis; None for not at all.
    """

    held: ReducedBody
    gap_offsets: tuple[np.ndarray | None, ...]

    def sizes(self, harmonics: int) -> dict[str, int | tuple[int, ...]]:
        """Return the sizes of what frames store, by name; the highest harmonic is given."""
        r = self.held.n_coordinates
        return {"coordinates": r, "coefficients": (2 * harmonics + 1, r)}

    def joint_sizes(self) -> dict[str, dict[str, tuple[int, ...]]]:
        """Return the sizes of what frames store of each joint, by name."""
        found: dict[str, dict[str, tuple[int, ...]]] = {}
        for name, history, offset in zip(self.names, self.histories, self.gap_offsets, strict=True):
            found[name] = {WORK: (len(history),)}
            if history.shape[1]:
                found[name]["history"] = history.shape
            if offset is not None:
                found[name]["gap_offset"] = offset.shape
        return found

    def frame(self, motion: PeriodicFrame) -> dict[str, np.ndarray]:
        """Return the arrays (…) that a frame stores of a periodic motion, by path."""
        stored = {
            "coordinates": self.coordinates(motion.amplitudes),
            "coefficients": self.coordinates(motion.coefficients),
        }
        known = zip(self.names, motion.works, motion.histories, self.gap_offsets, strict=True)
        for name, work, history, offset in known:
            stored[path_of("joints", name, WORK)] = work
            if history.shape[1]:
                stored[path_of("joints", name, "history")] = history
            if offset is not None:
                stored[path_of("joints", name, "gap_offset")] = offset
        return stored


def periodic_body(
    body: BodyModel, support: str, preloads: Sequence[str], frame: int, progress: Progress
) -> PeriodicBody:
    """Return a body at rest under preload cases or at a frame of a static analysis, ready to vibrate about it.

    Args:
        body: the body; its `start` are the results of the static analysis, if there is one.
        support: interface node that holds it; "" for the free body.
        preloads: names of the preload cases, without a static analysis.
        frame: of the static analysis; −1 for the last one.
        progress: reports and cancels.

    Raises:
        ModelError: when the static analysis holds the body elsewhere or has no such frame, when no pair is under
            pressure, or there is no such preload case.
        SolveError: when there is no equilibrium.
    """
    free = needed(body.reduced)
    if body.start is not None:
        q, forces, histories = _stored(body, free, body.start, support, frame)
        held = free.clamped_to(support).preloaded(body.start.settings.get("preloads", ()))
    else:
        held = free.clamped_to(support).preloaded(preloads)
        q, forces, histories = _mounted(body, held, preloads, progress)
    stiffness, closed = held.stiffness.copy(), 0
    for joint, force, history, rows in zip(body.joints, forces, histories, held.joints, strict=True):
        answer = force.evaluate(q, history, 0.0, jacobian=False)
        springs = pair_springs(joint.contact_law, force.friction_law, answer, joint.weights, "stuck")
        stiffness += springs.over(rows)
        closed += springs.closed
    if body.joints and not closed:
        names = ", ".join(repr(joint.name) for joint in body.joints)
        raise ModelError(
            f"No contact pair of the joints {names} is under pressure at rest, so that the body has no modes with "
            "stuck joints.",
            "Choose preload cases, or a static analysis whose loads close the joints.",
        )
    frequencies, shapes = ritz_modes(stiffness, held.mass)
    plain = free.clamped_to(support).preloaded(preloads)
    smaller = [
        rows.initial_gaps - force.rows.initial_gaps for rows, force in zip(plain.joints, forces, strict=True)
    ]
    none = np.zeros_like(shapes) if held.damping is None else shapes.T @ held.damping @ shapes
    return PeriodicBody(
        held=held, gap_offsets=tuple(each if each.any() else None for each in smaller),
        shapes=shapes, frequencies=frequencies,
        names=tuple(joint.name for joint in body.joints),
        joints=tuple(force.about(np.zeros(len(q)), shapes) for force in forces), histories=tuple(histories),
        rest=np.linalg.solve(shapes, q), sticking=closed, stiffness=shapes.T @ held.stiffness @ shapes,
        own_damping=none, stuck=np.diag((2.0 * np.pi * frequencies) ** 2),
    )  # fmt: skip


State = tuple[np.ndarray, list[JointForce], list[np.ndarray]]


def _stored(body: BodyModel, free: ReducedBody, start: Results, support: str, frame: int) -> State:
    """Return coordinates, joint forces and histories at a frame of a static analysis."""
    if start.frame_of_reference != support:
        raise ModelError(
            f"The static analysis holds the body at {start.frame_of_reference or 'no interface node'!r}, and here it "
            f"is held at {support or 'no interface node'!r}.",
            "Hold it at the same interface node in both.",
        )
    if not -1 <= frame < start.n_frames:
        raise ModelError(
            f"There is no frame {frame} to vibrate about: the static analysis has {start.n_frames} frames.",
            f"Choose a number from 0 to {start.n_frames - 1}, or −1 for the last frame.",
        )
    laws = [(joint.contact_law, joint.friction_law) for joint in body.joints]
    found = stored_forces(free, laws, start, frame % start.n_frames)
    q = needed(start.coordinates(frame % start.n_frames))
    histories = []
    for (force, history), joint in zip(found, body.joints, strict=True):
        if history is None and joint.friction_law is not None:
            raise ModelError(
                f"Joint {joint.name!r} has a friction law, and the static analysis was without friction.",
                "Let friction act in the static analysis.",
            )
        histories.append(force.resting_history(q) if history is None else history)
    return q, [force for force, _ in found], histories


def _mounted(body: BodyModel, held: ReducedBody, preloads: Sequence[str], progress: Progress) -> State:
    """Return coordinates, joint forces and histories of the body at rest under its preload cases."""
    q = np.zeros(held.n_coordinates)
    forces = [
        JointForce(rows, joint.contact_law, joint.friction_law)
        for joint, rows in zip(body.joints, held.joints, strict=True)
    ]
    if preloads:
        smooth = [force.without_friction() for force in forces]
        opened = [force.initial_history() for force in smooth]
        q = solve_equilibrium(held.stiffness, held.preload_force(preloads), smooth, opened, q, progress)[0]
    return q, forces, [force.resting_history(q) for force in forces]
