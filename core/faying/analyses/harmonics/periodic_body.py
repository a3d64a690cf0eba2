"""A reduced body that vibrates periodically about an equilibrium, with contact and friction, in its stuck modes."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from faying.analyses import BodyModel, needed
from faying.analyses.harmonics.stored_joints import stored_forces
from faying.errors import ModelError
from faying.joints.cycle import CycleResponse, CycleRows, over_cycle
from faying.joints.fourier import FourierBasis
from faying.joints.interface import JointForce
from faying.joints.linearized import pair_springs
from faying.progress import Progress
from faying.reduction.body import ReducedBody
from faying.reduction.quality import ritz_modes
from faying.results.results import Results
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.harmonic import Damping
from faying.solvers.harmonic_balance import PeriodicForce, PeriodicProblem

_RECENT = 4  # evaluations of the force: a correction and its shorter trials


@dataclass(frozen=True, eq=False)
class PeriodicBody:
    """Joints, equilibrium and matrices of a held body, over the amplitudes of its r modes with all closed pairs stuck.

    Attributes:
        held: the reduced body.
        shapes: (r, r) the modes over its coordinates, orthonormal in the mass.
        frequencies: (r,) natural frequencies of the modes, ascending.
        names: of the joints.
        joints: their forces over the modes.
        histories: of their pairs in the equilibrium.
        rest: (r,) the equilibrium.
        sticking: number of pairs that are closed in the equilibrium, of all joints with friction.
        recent: what each joint's pairs did in the last few evaluations of the force (`PairCycles.did`).
    """

    held: ReducedBody
    shapes: np.ndarray
    frequencies: np.ndarray
    names: tuple[str, ...]
    joints: tuple[JointForce, ...]
    histories: tuple[np.ndarray, ...]
    rest: np.ndarray
    sticking: int
    recent: deque[list[np.ndarray]] = field(default_factory=lambda: deque(maxlen=_RECENT))

    def coordinates(self, amplitudes: np.ndarray) -> np.ndarray:
        """Return (…, r) coordinates of the body from amplitudes (…, r) of the modes."""
        return np.asarray(amplitudes @ self.shapes.T)

    def problem(self, damping: Damping, basis: FourierBasis) -> PeriodicProblem:
        """Return the equations of periodic motion; the static load is that of the equilibrium.

        Args:
            damping: of the body; modal ratios are those of the stuck modes.
            basis: harmonics and samples.
        """
        stiffness = self.shapes.T @ self.held.stiffness @ self.shapes
        unit = np.eye(len(stiffness))
        omega = 2.0 * np.pi * self.frequencies
        viscous = damping.mass * unit + damping.stiffness * stiffness
        viscous += np.diag(2.0 * damping.modal_ratios(len(omega)) * omega)
        if self.held.damping is not None:
            viscous = viscous + self.shapes.T @ self.held.damping @ self.shapes
        at_rest = [
            joint.evaluate(self.rest, history, 0.0, jacobian=False).force
            for joint, history in zip(self.joints, self.histories, strict=True)
        ]
        constant = stiffness @ self.rest - sum(at_rest, np.zeros(len(unit)))
        structural = damping.structural * stiffness if damping.structural else None
        return PeriodicProblem(unit, viscous, stiffness, self._force, basis, constant, structural)

    def responses(self, x: np.ndarray, basis: FourierBasis, omega: float) -> list[CycleResponse]:
        """Return each joint over a period with the coefficients (size, r) of the modes."""
        return self._over_cycle(x, basis, omega, False)

    def _over_cycle(
        self, x: np.ndarray, basis: FourierBasis, omega: float, derivatives: bool
    ) -> list[CycleResponse]:
        return [
            over_cycle(joint, x, basis, omega, history, jacobian=derivatives)
            for joint, history in zip(self.joints, self.histories, strict=True)
        ]

    @property
    def changing_pairs(self) -> str:
        """A sentence that names the joints whose pairs changed in the last evaluations of the force; "" for none."""
        parts = []
        for name, *did in zip(self.names, *self.recent, strict=True):
            count = int(np.count_nonzero(np.any([each != did[0] for each in did[1:]], axis=0)))
            if count:
                parts.append(f"{count} pair{'s' if count > 1 else ''} of {name!r}")
        if not parts:
            return ""
        return f"From correction to correction {' and '.join(parts)} changed between sticking, slipping and open. "

    def _force(self, x: np.ndarray, basis: FourierBasis, omega: float, derivatives: bool) -> PeriodicForce:
        found = self._over_cycle(x, basis, omega, derivatives)
        self.recent.append([each.pairs.did for each in found])
        force = sum((each.force for each in found), np.zeros_like(x))
        if not derivatives:
            return PeriodicForce(force)
        jacobian = np.zeros((x.size, x.size))
        by_frequency = np.zeros_like(x)
        for each in found:
            jacobian += needed(each.jacobian)
            by_frequency += each.by_frequency
        return PeriodicForce(force, jacobian, by_frequency)


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
    return PeriodicBody(
        held, shapes, frequencies, tuple(joint.name for joint in body.joints),
        tuple(_over_modes(force, shapes) for force in forces), tuple(histories),
        np.linalg.solve(shapes, q), closed,
    )  # fmt: skip


def _over_modes(force: JointForce, shapes: np.ndarray) -> JointForce:
    """Return a joint force over the amplitudes of modes (r, r)."""
    rows = force.rows
    over = CycleRows(rows.normal @ shapes, rows.tangential @ shapes, rows.weights, rows.initial_gaps)
    return JointForce(over, force.contact_law, force.friction_law)


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
