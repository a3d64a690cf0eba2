"""The equations of motion of a jointed body that is held at an interface node: small displacements."""

from collections.abc import Callable, Sequence

import numpy as np

from faying.joints.interface import JointForce, JointResponse
from faying.reduction.body import ReducedBody
from faying.solvers.integrators import Forces

Histories = tuple[np.ndarray, ...]


class HeldBody:
    """M q̈ + K q = f(t) + Q_joints: a `DynamicSystem` without constraints.

    Args:
        body: reduced body with its frame clamped to an interface node.
        joints: joint forces over its coordinates.
        load: generalised force over time.
        stiffness_damping: β of a damping matrix β K, in time units.
    """

    n_constraints = 0

    def __init__(
        self,
        body: ReducedBody,
        joints: Sequence[JointForce],
        load: Callable[[float], np.ndarray],
        stiffness_damping: float = 0.0,
    ) -> None:
        self.n = body.n_coordinates
        self.scales = body.modal_magnitudes
        self._mass, self._stiffness = body.mass, body.stiffness
        self._damping = stiffness_damping * body.stiffness
        self.has_damping = stiffness_damping > 0
        self._joints, self._load = tuple(joints), load

    def initial_history(self) -> Histories:
        """Return the histories of all joints when every pair is open."""
        return tuple(j.initial_history() for j in self._joints)

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return the constant mass matrix."""
        return self._mass

    def respond(
        self, q: np.ndarray, history: Histories, time_step: float, *, jacobian: bool = False
    ) -> list[JointResponse]:
        """Return what each joint answers."""
        return [
            j.evaluate(q, h, time_step, jacobian=jacobian) for j, h in zip(self._joints, history, strict=True)
        ]

    def forces(
        self,
        time: float,
        q: np.ndarray,
        v: np.ndarray,
        history: Histories,
        time_step: float,
        *,
        jacobian: bool,
    ) -> Forces:
        """Return load, elastic and damping forces, and those of the joints, with their derivatives."""
        answers = self.respond(q, history, time_step, jacobian=jacobian)
        contact = np.zeros(self.n)
        for answer in answers:
            contact += answer.force
        return Forces(
            self._load(time) - self._stiffness @ q - self._damping @ v,
            -self._stiffness if jacobian else None,
            -self._damping if jacobian and self.has_damping else None,
            tuple(answer.history for answer in answers),
            contact,
            sum((answer.jacobian for answer in answers), np.zeros((self.n, self.n))) if jacobian else None,
        )

    def constraints(self, time: float, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return no constraints."""
        return np.zeros(0), np.zeros((0, self.n))

    def inertia_and_constraint_jacobian(
        self, q: np.ndarray, a: np.ndarray, multipliers: np.ndarray
    ) -> np.ndarray | None:
        """Return None: the mass is constant."""
        return None

    def energies(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        """Return kinetic and elastic energy, the latter without what the contact stores."""
        return float(0.5 * v @ self._mass @ v), float(0.5 * q @ self._stiffness @ q)
