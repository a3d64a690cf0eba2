"""Time integrators. A member is one file, registered under its kind; systems speak the protocol below."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from faying.params import Member
from faying.progress import Progress
from faying.registry import Registry

integrators: Registry[type["Integrator"]] = Registry("integrator", __name__)


@dataclass(frozen=True)
class Forces:
    """Generalised forces at a state.

    Attributes:
        force: (n,) Q, everything that changes smoothly.
        d_position, d_velocity: (n, n) ∂Q/∂q and ∂Q/∂v; None when not asked for, or zero.
        history: what the laws would remember if this state were accepted.
        contact: (n,) forces that come and go with contact, which an integrator must not carry over from the
            last step; None for none.
        d_contact: (n, n) ∂contact/∂q.
    """

    force: np.ndarray
    d_position: np.ndarray | None
    d_velocity: np.ndarray | None
    history: Any
    contact: np.ndarray | None = None
    d_contact: np.ndarray | None = None


class DynamicSystem(Protocol):
    """M(q) a + C_qᵀ λ = Q(t, q, v, history), C(t, q) = 0."""

    n: int
    n_constraints: int
    scales: np.ndarray  # (n,) lengths by which errors of the coordinates are judged
    has_damping: bool  # whether the forces depend on v

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return M (n, n)."""

    def forces(
        self, time: float, q: np.ndarray, v: np.ndarray, history: Any, time_step: float, *, jacobian: bool
    ) -> Forces:
        """Return the forces of a trial state; `history` is that of the last accepted step."""

    def constraints(self, time: float, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return C (m,) and C_q (m, n)."""

    def inertia_and_constraint_jacobian(
        self, q: np.ndarray, a: np.ndarray, multipliers: np.ndarray
    ) -> np.ndarray | None:
        """Return ∂(M a + C_qᵀ λ)/∂q at constant a and λ, (n, n); None when zero."""


@dataclass(frozen=True)
class State:
    """Where a system is: cheap to copy, everything that changes.

    `a` holds the accelerations without those by contact, which are of this state alone and must not be
    carried into the next step.
    """

    time: float
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    multipliers: np.ndarray
    history: Any


@dataclass
class RunReport:
    """How a run went."""

    steps: int = 0
    rejected_by_error: int = 0
    rejected_by_iteration: int = 0
    iterations: int = 0
    jacobians: int = 0
    smallest_step: float = np.inf
    largest_step: float = 0.0
    last_time: float = 0.0


Output = Callable[[State, State], None]  # called with the states before and after each accepted step


class Integrator(Member):
    """Settings of a time integrator."""

    @abstractmethod
    def integrate(
        self,
        system: DynamicSystem,
        start: State,
        end_time: float,
        accepted: Output,
        progress: Progress,
    ) -> RunReport:
        """Integrate from `start` until `end_time` is reached or passed; `accepted` sees every step.

        Raises:
            SolveError: when the step becomes too small; says when and what to try.
        """


def consistent_start(system: DynamicSystem, time: float, q: np.ndarray, v: np.ndarray, history: Any) -> State:
    """Return the state with accelerations and multipliers that satisfy the equations of motion.

    The multipliers hold against contact as well; the accelerations leave its part out (see `State`).

    Velocity-dependent constraint terms are taken by differences of C_q along v.
    """
    forces = system.forces(time, q, v, history, 0.0, jacobian=False)
    n, m = system.n, system.n_constraints
    matrix = np.zeros((n + m, n + m))
    matrix[:n, :n] = system.mass(q)
    right = np.concatenate([forces.force, np.zeros(m)])
    if forces.contact is not None:
        right[:n] += forces.contact
    if m:
        _, rows = system.constraints(time, q)
        matrix[n:, :n], matrix[:n, n:] = rows, rows.T
        speed = float(np.abs(v).max(initial=0.0))
        if speed > 0:
            step = 1e-6 * (1.0 + float(np.abs(q).max())) / speed
            ahead = system.constraints(time + step, q + step * v)[1]
            behind = system.constraints(time - step, q - step * v)[1]
            right[n:] = -((ahead - behind) / (2 * step)) @ v
    solution = np.linalg.solve(matrix, right)
    a = solution[:n]
    if forces.contact is not None:
        a = a - np.linalg.solve(matrix[:n, :n], forces.contact)
    return State(time, q.copy(), v.copy(), a, solution[n:], forces.history)


def interpolate(before: State, after: State, time: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (q, v) between two states by cubic Hermite interpolation."""
    h = after.time - before.time
    s = (time - before.time) / h
    q = (
        (1 + 2 * s) * (1 - s) ** 2 * before.q
        + s * (1 - s) ** 2 * h * before.v
        + s**2 * (3 - 2 * s) * after.q
        + s**2 * (s - 1) * h * after.v
    )
    v = (
        6 * s * (s - 1) / h * before.q
        + (1 - s) * (1 - 3 * s) * before.v
        + 6 * s * (1 - s) / h * after.q
        + s * (3 * s - 2) * after.v
    )
    return q, v
