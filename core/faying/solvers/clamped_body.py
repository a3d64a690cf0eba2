"""The equations of motion of a jointed body that is held at an interface node: small displacements."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from faying.joints.interface import JointResponse
from faying.joints.jacobian import JointJacobian
from faying.joints.sampled import ActingJoint
from faying.reduction.body import ReducedBody
from faying.solvers.balance import Supply, Touching
from faying.solvers.diagnosis import MovedJoint, StepDiagnosis, restless_pairs, unreal_pairs
from faying.solvers.integrators import Before, ContactForces, Forces, State, Unconstrained

Histories = tuple[np.ndarray, ...]


class GivenMotions(Protocol):
    """Motions C q = d(t) that are given over time; nothing to inherit."""

    @property
    def rows(self) -> np.ndarray:
        """C (m, n)."""

    def at(self, time: float) -> np.ndarray:
        """Return d (m,)."""

    def rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return ḋ and d̈ (m,)."""


class ClampedBody(Unconstrained):
    """M q̈ + K q + Cᵀ λ = f(t) + Q_joints, C q = d(t): a `DynamicSystem` whose constraints are given motions.

    Args:
        body: reduced body with its frame clamped to an interface node.
        joints: joint forces over its coordinates.
        load: generalised force over time.
        stiffness_damping: β of a damping matrix β K, in time units, in addition to the body's own.
        driven: prescribed motions over time; None for none.
    """

    def __init__(
        self,
        body: ReducedBody,
        joints: Sequence[ActingJoint],
        load: Callable[[float], np.ndarray],
        stiffness_damping: float = 0.0,
        driven: GivenMotions | None = None,
    ) -> None:
        self.n, self._driven = body.n_coordinates, driven
        self.n_constraints = 0 if driven is None else len(driven.rows)
        self.scales = body.modal_magnitudes
        self._mass, self._stiffness = body.mass, body.stiffness
        self._damping = stiffness_damping * body.stiffness
        if body.damping is not None:
            self._damping = self._damping + body.damping
        self._has_damping = stiffness_damping > 0 or body.damping is not None
        self._separable = body.joint_mode_stiffness
        self.joints, self._load = tuple(joints), load

    @property
    def separable_stiffness(self) -> np.ndarray:
        """(n,) of the joint modes."""
        return self._separable

    def constraints(self, time: float, q: np.ndarray, history: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return C q − d (m,) and C (m, n)."""
        if self._driven is None:
            return super().constraints(time, q, history)
        return self._driven.rows @ q - self._driven.at(time), self._driven.rows

    def constraint_rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return −ḋ (m,) and −d̈ (m,)."""
        if self._driven is None:
            return super().constraint_rates(time)
        first, second = self._driven.rates(time)
        return -first, -second

    def moving(self, time: float) -> np.ndarray:
        """Return the velocity (n,) of a body at rest when motions set in: C v = ḋ with the least kinetic energy."""
        if self._driven is None:
            return np.zeros(self.n)
        rows = self._driven.rows
        pushed = np.linalg.solve(self._mass, rows.T)
        return np.asarray(pushed @ np.linalg.solve(rows @ pushed, self._driven.rates(time)[0]))

    def reactions(self, state: State) -> np.ndarray:
        """Return (m,) the reactions: forces on the body along the given motions."""
        return -state.all_multipliers

    def initial_history(self) -> Histories:
        """Return the histories of all joints when every pair is open."""
        return tuple(j.initial_history() for j in self.joints)

    def resting_history(self, q: np.ndarray) -> Histories:
        """Return the histories of all joints of a body that rests at q, pairs that touch closed."""
        return tuple(j.resting_history(q) for j in self.joints)

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return M (n, n), constant."""
        return self._mass

    def respond(
        self,
        q: np.ndarray,
        history: Histories,
        time_step: float,
        *,
        jacobian: bool = False,
        before: Before | None = None,
        last: Sequence[JointJacobian | None] | None = None,
    ) -> list[JointResponse]:
        """Return the response of each joint."""
        none = (None,) * len(self.joints)
        known = zip(self.joints, history, last or none, before or none, strict=True)
        return [
            joint.evaluate(q, h, time_step, jacobian=jacobian, last=made, before=own)
            for joint, h, made, own in known
        ]

    def forces(self, time: float, q: np.ndarray, v: np.ndarray, history: Any, *, jacobian: bool) -> Forces:
        """Return load, elastic and damping forces."""
        damped = self._has_damping
        force = self._load(time) - self._stiffness @ q
        return Forces(
            force - self._damping @ v if damped else force,
            -self._stiffness if jacobian else None,
            -self._damping if jacobian and damped else None,
        )

    def contact(
        self,
        q: np.ndarray,
        history: Histories,
        time_step: float,
        *,
        jacobian: bool,
        before: Before | None = None,
        last: Sequence[JointJacobian | None] | None = None,
    ) -> ContactForces | None:
        """Return the forces of the joints, with their derivatives; as new history their responses (see `accepted`)."""
        if not self.joints:
            return None
        answers = self.respond(q, history, time_step, jacobian=jacobian, before=before, last=last)
        return ContactForces(
            np.sum([answer.force for answer in answers], axis=0),
            answers,
            np.sum([answer.jacobian for answer in answers], axis=0) if jacobian else None,
            sudden=np.sum([answer.sudden for answer in answers], axis=0),
            going_on=np.sum([answer.going_on for answer in answers], axis=0),
            closed=tuple(answer.is_closed for answer in answers),
            gaps=tuple(answer.acting_gaps for answer in answers),
            last=tuple(answer.last for answer in answers) if jacobian else None,
        )

    def accepted(
        self,
        time: float,
        q: np.ndarray,
        history: Sequence[JointResponse],
        v: np.ndarray | None = None,
        multipliers: np.ndarray | None = None,
    ) -> Histories:
        """Return the histories of the joints; they are computed here, as few trial states are accepted."""
        return tuple(answer.history for answer in history)

    def diagnose(
        self, time: float, q: np.ndarray, v: np.ndarray, history: Histories, change: np.ndarray
    ) -> StepDiagnosis:
        """Return the joint whose law gives no number, or whose pairs open and close with a correction."""
        names = [getattr(joint.rows, "name", f"joint {k + 1}") for k, joint in enumerate(self.joints)]
        moved = [MovedJoint(name, joint, q, change) for name, joint in zip(names, self.joints, strict=True)]
        found = unreal_pairs(moved)
        return found if found.clause else restless_pairs(moved)

    def touching(self, q: np.ndarray, history: Histories, time_step: float) -> Touching:
        """Return the energy stored in the contact laws of the joints, and their friction forces (n,)."""
        stored, friction = 0.0, np.zeros(self.n)
        for joint, answer in zip(self.joints, self.respond(q, history, time_step), strict=True):
            stored += joint.stored_energy(answer)
            friction += joint.friction_force(answer)
        return Touching(stored, friction)

    def supply(self, state: State) -> Supply:
        """Return the load, and the power of the reactions on given motions."""
        power = 0.0
        if self._driven is not None:
            power = float(self.reactions(state) @ (self._driven.rows @ state.v))
        return Supply(power, self._load(state.time))

    def dissipation(self, rates: np.ndarray) -> float:
        """Return the power that damping takes."""
        return float(rates @ self._damping @ rates) if self._has_damping else 0.0

    def own_energies(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        """Return kinetic and elastic energy."""
        return self.energies(q, v)

    def energies(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        """Return kinetic and elastic energy, the latter without the energy stored in contact."""
        return float(0.5 * v @ self._mass @ v), float(0.5 * q @ self._stiffness @ q)
