"""Joints linearised about a static equilibrium: each closed pair becomes a spring."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faying.analyses import BodyModel, JointModel
from faying.analyses.harmonics.stored_joints import stored_joints
from faying.errors import ModelError
from faying.joints.interface import JointForce, JointResponse
from faying.joints.linearized import PairSprings, Sticking, pair_springs, touching_springs
from faying.progress import Progress
from faying.reduction.body import ReducedBody
from faying.results.results import Results
from faying.solvers.equilibrium import solve_equilibrium


def springs_about(
    body: BodyModel,
    held: ReducedBody,
    preloads: Sequence[str],
    frame: int,
    sticking: Sticking,
    progress: Progress,
) -> tuple[PairSprings, ...]:
    """Return the springs of all joints, linearised at a frame of a static analysis or under preload cases alone.

    Args:
        body: the body; its `start` are the results of the static analysis, if there is one.
        held: its reduced body, free or clamped, for the equilibrium under preload cases.
        preloads: names of the preload cases, without a static analysis.
        frame: of the static analysis; −1 for the last one.
        sticking: which closed pairs hold each other sideways.
        progress: reports and cancels.

    Raises:
        ModelError: when no pair is under pressure, or there is no such frame or preload case.
        SolveError: when there is no equilibrium.
    """
    state = joint_state(body, held, preloads, frame, progress)
    if body.joints and not state.presses and sticking != "open":
        raise nothing_presses([joint.name for joint in body.joints])
    return state.springs(sticking)


@dataclass(frozen=True, eq=False)
class JointState:
    """All joints of a body in an equilibrium, from which their springs follow.

    Attributes:
        joints: of the body.
        answers: response of each joint, and whether it has friction.
    """

    joints: Sequence[JointModel]
    answers: Sequence[tuple[JointResponse, bool]]

    @property
    def presses(self) -> bool:
        """Whether any pair is under pressure."""
        return any(bool(answer.closed.touching.any()) for answer, _ in self.answers)

    def springs(self, sticking: Sticking) -> tuple[PairSprings, ...]:
        """Return the springs of each joint.

        Args:
            sticking: which closed pairs hold each other sideways.
        """
        return tuple(
            pair_springs(
                joint.contact_law, joint.friction_law if rubs else None, answer, joint.weights, sticking
            )
            for joint, (answer, rubs) in zip(self.joints, self.answers, strict=True)
        )

    def touching_springs(self, sticking: Sticking) -> tuple[PairSprings, ...]:
        """Return the springs of each joint where nothing presses: pairs that touch are taken as closed.

        Args:
            sticking: which closed pairs hold each other sideways.
        """
        return tuple(
            touching_springs(
                joint.contact_law, joint.friction_law if rubs else None, answer.gap, joint.weights, sticking
            )
            for joint, (answer, rubs) in zip(self.joints, self.answers, strict=True)
        )


def joint_state(
    body: BodyModel, held: ReducedBody, preloads: Sequence[str], frame: int, progress: Progress
) -> JointState:
    """Return the joints at a frame of a static analysis or under preload cases alone; arguments as `springs_about`.

    Raises:
        ModelError: when there is no such frame or preload case.
        SolveError: when there is no equilibrium.
    """
    if not body.joints:
        return JointState((), ())
    if body.start is not None:
        return JointState(body.joints, _stored(body, body.start, frame))
    return JointState(body.joints, _mounted(body, held.preloaded(preloads), preloads, progress))


def nothing_presses(joints: Sequence[str]) -> ModelError:
    """Return the error that no pair of the joints named is under pressure."""
    return ModelError(
        f"No contact pair of the joints {', '.join(map(repr, joints))} is under pressure in the equilibrium, so that "
        "there is nothing to linearise: surfaces that merely touch are stiff to one side alone.",
        "Choose preload cases, or a static analysis whose loads close the joints.",
    )


def _stored(body: BodyModel, start: Results, frame: int) -> list[tuple[JointResponse, bool]]:
    """Return each joint's response at a frame of a static analysis, and whether friction acts."""
    assert body.reduced is not None
    count = start.n_frames
    if not -1 <= frame < count:
        raise ModelError(
            f"There is no frame {frame} to linearise about: the static analysis has {count} frames.",
            f"Choose a number from 0 to {count - 1}, or −1 for the last frame.",
        )
    laws = [(joint.contact_law, joint.friction_law) for joint in body.joints]
    return stored_joints(body.reduced, laws, start, frame % count)


def _mounted(
    body: BodyModel, held: ReducedBody, preloads: Sequence[str], progress: Progress
) -> list[tuple[JointResponse, bool]]:
    """Return each joint's response in the body at rest under its preload cases, and whether it has friction."""
    q = np.zeros(held.n_coordinates)
    pairs = list(zip(body.joints, held.joints, strict=True))
    if preloads:
        smooth = [JointForce(rows, joint.contact_law) for joint, rows in pairs]
        opened = [force.initial_history() for force in smooth]
        q = solve_equilibrium(held.stiffness, held.preload_force(preloads), smooth, opened, q, progress)[0]
    found = []
    for joint, rows in pairs:
        force = JointForce(rows, joint.contact_law, joint.friction_law)
        answer = force.evaluate(q, force.resting_history(q), 0.0, jacobian=False)
        found.append((answer, joint.friction_law is not None))
    return found
