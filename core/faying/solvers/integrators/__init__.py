"""Time integrators. A member is one file, registered under its kind; systems implement the protocol below."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.joints.step_mean import PairsBefore
from faying.params import Member
from faying.progress import Progress
from faying.records import record
from faying.registry import Registry
from faying.solvers.diagnosis import StepDiagnosis

integrators: Registry[type["Integrator"]] = Registry("integrator", __name__)


@dataclass(frozen=True)
class Forces:
    """Generalised forces that change smoothly.

    Attributes:
        force: (n,) Q.
        d_position, d_velocity: (n, n) ∂Q/∂q and ∂Q/∂v; None when not requested, or zero.
    """

    force: np.ndarray
    d_position: np.ndarray | None = None
    d_velocity: np.ndarray | None = None

    def __add__(self, other: "Forces") -> "Forces":
        """Return the sum of forces at one state."""
        return Forces(
            self.force + other.force,
            _sum(self.d_position, other.d_position),
            _sum(self.d_velocity, other.d_velocity),
        )


def _sum(one: np.ndarray | None, other: np.ndarray | None) -> np.ndarray | None:
    return other if one is None else one if other is None else one + other


Pairs = tuple[np.ndarray, ...]  # something of each pair, joint by joint
Before = tuple[PairsBefore, ...]  # all pairs at the start of a step


@dataclass(frozen=True)
class ContactForces:
    """Generalised forces that come and go with contact; no integrator may carry them over from the last step.

    Attributes:
        force: (n,).
        history: history of the laws if this state is accepted.
        d_position: (n, n) their changes: of `sudden`, and of `going_on` times its factor; None when not requested.
        lasting: forces with a history that never come and go, like friction elements between parts that do not
            part; integrators treat them like smooth forces. None if there are none.
        sudden, going_on: (n,) what acts within a step of pairs that come and go, and of those that last
            (`faying.joints.step_mean`); None for `force` itself, and for none.
        closed: for each joint (n_pairs,) which pairs are closed; None for a system that does not report pairs.
        gaps: for each joint (n_pairs,) the gaps, infinite where there is none; None like `closed`.
        last: data of `d_position`, from which the next one is updated at lower cost; `faying.packed` can store it, as
            it is part of a run's memory. None where each one is computed in full, or none was requested.
    """

    force: np.ndarray
    history: Any
    d_position: np.ndarray | None = None
    lasting: Forces | None = None
    sudden: np.ndarray | None = None
    going_on: np.ndarray | None = None
    closed: Pairs | None = None
    gaps: Pairs | None = None
    last: Any = None


class DynamicSystem(Protocol):
    """M(q) a + C_qᵀ λ = Q(t, q, v) + contact(q, history), C(t, q) = 0; a protocol, nothing to inherit.

    `history` is everywhere that of the last accepted state.
    """

    n: int
    n_constraints: int
    scales: np.ndarray  # (n,) lengths by which errors of the coordinates are judged
    has_lasting_contact: bool  # whether `contact` may answer with lasting forces
    may_meet: bool  # whether new contact may begin; otherwise no step checks distances
    rubs: bool  # whether smooth forces depend on the multipliers, as friction in constraints does

    @property
    def separable_stiffness(self) -> np.ndarray:
        """(n,) elastic stiffness of each coordinate that may be quasi-static, see `faying.solvers.separation`.

        Zero for all others; used only where modes are separated.
        """

    @property
    def without_inertia(self) -> np.ndarray | None:
        """(n,) mask of quasi-static coordinates, whose equations hold without inertia at the end of a step, or None.

        Their diagonal in the mass matrix has no meaning; they are not coupled with other coordinates there.
        """

    def initial_history(self) -> Any:
        """Return the history of a system at rest that was never touched."""

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return M (n, n), positive definite; the same object as long as it is constant."""

    def inertia_forces(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return M a (n,)."""

    def residual(
        self, time: float, q: np.ndarray, v: np.ndarray, a: np.ndarray, multipliers: np.ndarray, history: Any
    ) -> np.ndarray | None:
        """Return M a + C_qᵀ λ − Q over C (n + m,), all but contact, in one go and without matrices.

        None where it is the sum of `mass`, `forces` and `constraints` alone; contiguous and writable arrays are given.
        """

    def tangent(
        self,
        time: float,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        multipliers: np.ndarray,
        history: Any,
        weights: tuple[float, float, float],
    ) -> sp.csc_matrix | None:
        """Return the derivative of `residual`: the weighted sum of those over q, v and a, next to C_qᵀ, over C_q.

        None where `residual` is None.
        """

    def tables(self) -> "StepTables | None":
        """Return what a kernel takes whole steps with; None where there is no kernel for the system."""

    def forces(self, time: float, q: np.ndarray, v: np.ndarray, history: Any, *, jacobian: bool) -> Forces:
        """Return the smooth forces; full turns are counted from the angles in the history.

        A system that `rubs` also takes `multipliers` (m,), those of the same trial state.
        """

    def contact(
        self,
        q: np.ndarray,
        history: Any,
        time_step: float,
        *,
        jacobian: bool,
        before: Before | None = None,
        last: Any = None,
    ) -> ContactForces | None:
        """Return the forces of contact and friction of a trial state; None for a system without contact.

        `before` (the pairs at the start of the step) is given only to a system that reports `closed` and `gaps`, and
        `last` of an earlier answer only if it had one. The answer depends on the arguments alone: a system keeps no
        state.
        """

    def constraints(self, time: float, q: np.ndarray, history: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return C (m,) and C_q (m, n)."""

    def constraint_rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return ∂C/∂t and ∂²C/∂t² (m,); ∂C_q/∂t is zero."""

    def inertia_and_constraint_jacobian(
        self, time: float, q: np.ndarray, a: np.ndarray, multipliers: np.ndarray, history: Any
    ) -> np.ndarray | None:
        """Return ∂(M a + C_qᵀ λ)/∂q at constant a and λ, (n, n); None when zero."""

    def accepted(
        self,
        time: float,
        q: np.ndarray,
        history: Any,
        v: np.ndarray | None = None,
        multipliers: np.ndarray | None = None,
    ) -> Any:
        """Return the history to be kept with an accepted state; `history` is the new one that `contact` returned.

        Velocities (n,) and multipliers (m,) are given with the states that steps lead to.
        """

    def fastest_spin(self, v: np.ndarray) -> float:
        """Return the largest angular speed of parts that may turn without limit; zero where there are none."""

    def longest_approach(self, state: "State") -> float:
        """Return the longest step from an accepted state that cannot miss a first contact; infinity for no limit."""

    def has_overrun(self, before: "State", after: "State") -> bool:
        """Return whether a step between two states may have missed a first contact."""

    def next_jump(self, state: "State") -> float:
        """Return the time of the next known jump of the forces after an accepted state; infinity for none.

        A jump is due at the state's own time until `after_jump` has been asked.
        """

    def after_jump(self, state: "State") -> Any:
        """Return the history after the jump that is due at an accepted state."""

    def diagnose(
        self, time: float, q: np.ndarray, v: np.ndarray, history: Any, change: np.ndarray
    ) -> StepDiagnosis:
        """Return why a step does not converge.

        Args:
            time: at the end of the step.
            q, v: (n,) trial state there.
            history: of the last accepted state.
            change: (n,) the last correction of q.
        """


BEGINS, NEEDS_MEMBERS, NEEDS_MATRIX, TAKEN, FAILED = range(5)  # what `StepTables.step` says, and is told


class StepTables(Protocol):
    """A system as tables of numbers, with a kernel that takes a whole step of it.

    Attributes:
        trial: (3, n) coordinates, velocities and accelerations of its last evaluation.
        multipliers: (m,) likewise.
    """

    trial: np.ndarray
    multipliers: np.ndarray

    def step(
        self, start: np.ndarray, end: np.ndarray, values: np.ndarray, new_values: np.ndarray, times: np.ndarray,
        points: int, chooses: bool, time: float, length: float, scheme: np.ndarray, weights: np.ndarray,
        factor: np.ndarray, pivots: np.ndarray, serves: bool, said: int, iterations: int, last: float,
        angles: np.ndarray,
    ) -> tuple[int, bool, int, int, float]:  # fmt: skip
        """Take a step; arguments and answer as of `faying.multibody.step_kernels.newmark_step`."""

    def add_members(self, time: float, history: Any, by_q: float) -> None:
        """Add to the residual of the kernel what members have in it that only Python knows.

        Args:
            time: at the end of the step.
            history: of its start.
            by_q: by which the constraints are divided.
        """

    def angles(self, history: Any) -> np.ndarray:
        """Return (c,) the angles of a history that are counted."""

    def accepted(
        self,
        time: float,
        q: np.ndarray,
        v: np.ndarray,
        multipliers: np.ndarray,
        last: Any,
        angles: np.ndarray,
    ) -> Any:
        """Return the history of an accepted state after the last one, with these angles (c,)."""


class Unconstrained:
    """Base class of systems without constraints and with constant mass."""

    n: int
    n_constraints = 0
    has_lasting_contact = may_meet = rubs = False

    @property
    def separable_stiffness(self) -> np.ndarray:
        """(n,) zeros: no coordinate may be quasi-static."""
        return np.zeros(self.n)

    @property
    def without_inertia(self) -> np.ndarray | None:
        """None: all has inertia."""
        return None

    def initial_history(self) -> Any:
        """Return no history."""
        return None

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return M (n, n)."""
        raise NotImplementedError

    def inertia_forces(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return M a (n,)."""
        return np.asarray(self.mass(q) @ a)

    def residual(
        self, time: float, q: np.ndarray, v: np.ndarray, a: np.ndarray, multipliers: np.ndarray, history: Any
    ) -> np.ndarray | None:
        """Return None: there is no faster way than matrices."""
        return None

    def tangent(
        self,
        time: float,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        multipliers: np.ndarray,
        history: Any,
        weights: tuple[float, float, float],
    ) -> sp.csc_matrix | None:
        """Return None, as `residual` does."""
        return None

    def tables(self) -> StepTables | None:
        """Return None, likewise."""
        return None

    def contact(
        self,
        q: np.ndarray,
        history: Any,
        time_step: float,
        *,
        jacobian: bool,
        before: Before | None = None,
        last: Any = None,
    ) -> ContactForces | None:
        """Return None: no contact."""
        return None

    def constraints(self, time: float, q: np.ndarray, history: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return no constraints, (0,) and (0, n)."""
        return np.zeros(0), np.zeros((0, self.n))

    def constraint_rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return no rates, twice (0,)."""
        return np.zeros(0), np.zeros(0)

    def inertia_and_constraint_jacobian(
        self, time: float, q: np.ndarray, a: np.ndarray, multipliers: np.ndarray, history: Any
    ) -> np.ndarray | None:
        """Return None: the mass is constant."""
        return None

    def accepted(
        self,
        time: float,
        q: np.ndarray,
        history: Any,
        v: np.ndarray | None = None,
        multipliers: np.ndarray | None = None,
    ) -> Any:
        """Return the laws' history as it is."""
        return history

    def fastest_spin(self, v: np.ndarray) -> float:
        """Return zero: nothing turns."""
        return 0.0

    def longest_approach(self, state: "State") -> float:
        """Return infinity: nothing approaches."""
        return np.inf

    def has_overrun(self, before: "State", after: "State") -> bool:
        """Return False: nothing touches that did not before."""
        return False

    def next_jump(self, state: "State") -> float:
        """Return infinity: forces do not jump."""
        return np.inf

    def after_jump(self, state: "State") -> Any:
        """Return the history as it is."""
        return state.history

    def diagnose(
        self, time: float, q: np.ndarray, v: np.ndarray, history: Any, change: np.ndarray
    ) -> StepDiagnosis:
        """Return nothing."""
        return StepDiagnosis()


def given(before: Before | None, last: Any) -> dict[str, Any]:
    """Return the keyword arguments of `contact` that are not None: a system without pairs may lack these arguments."""
    words = {"before": before, "last": last}
    return {name: value for name, value in words.items() if value is not None}


def pressed(system: DynamicSystem) -> Any:
    """Return a system as one that also takes multipliers, which may be passed to one that `rubs` alone."""
    return system


class Delegated:
    """A system that passes all calls on to another one; base class of wrappers that change some of them.

    Args:
        system: the other one.
    """

    def __init__(self, system: DynamicSystem) -> None:
        self._system = system
        self.n, self.n_constraints, self.scales = system.n, system.n_constraints, system.scales
        self.has_lasting_contact, self.may_meet = system.has_lasting_contact, system.may_meet
        self.rubs = system.rubs
        # Constant, and read a dozen times in each step.
        self.without_inertia: np.ndarray | None = system.without_inertia

    @property
    def separable_stiffness(self) -> np.ndarray:
        """(n,) of the wrapped system, as all that follows."""
        return self._system.separable_stiffness

    def initial_history(self) -> Any:
        """Return the history of a system at rest that was never touched."""
        return self._system.initial_history()

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return M (n, n)."""
        return self._system.mass(q)

    def inertia_forces(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return M a (n,)."""
        return np.asarray(self.mass(q) @ a)

    def residual(
        self, time: float, q: np.ndarray, v: np.ndarray, a: np.ndarray, multipliers: np.ndarray, history: Any
    ) -> np.ndarray | None:
        """Return None: a wrapper may change any term of it."""
        return None

    def tangent(
        self,
        time: float,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        multipliers: np.ndarray,
        history: Any,
        weights: tuple[float, float, float],
    ) -> sp.csc_matrix | None:
        """Return None, as `residual` does."""
        return None

    def tables(self) -> StepTables | None:
        """Return None, likewise."""
        return None

    def forces(
        self, time: float, q: np.ndarray, v: np.ndarray, history: Any, *, jacobian: bool, **more: Any
    ) -> Forces:
        """Return the smooth forces."""
        found: Forces = pressed(self._system).forces(time, q, v, history, jacobian=jacobian, **more)
        return found

    def contact(
        self,
        q: np.ndarray,
        history: Any,
        time_step: float,
        *,
        jacobian: bool,
        before: Before | None = None,
        last: Any = None,
    ) -> ContactForces | None:
        """Return the forces of contact and friction."""
        return self._system.contact(q, history, time_step, jacobian=jacobian, **given(before, last))

    def constraints(self, time: float, q: np.ndarray, history: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return C (m,) and C_q (m, n)."""
        return self._system.constraints(time, q, history)

    def constraint_rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return ∂C/∂t and ∂²C/∂t² (m,)."""
        return self._system.constraint_rates(time)

    def inertia_and_constraint_jacobian(
        self, time: float, q: np.ndarray, a: np.ndarray, multipliers: np.ndarray, history: Any
    ) -> np.ndarray | None:
        """Return (n, n) ∂(M a + C_qᵀ λ)/∂q."""
        return self._system.inertia_and_constraint_jacobian(time, q, a, multipliers, history)

    def accepted(
        self,
        time: float,
        q: np.ndarray,
        history: Any,
        v: np.ndarray | None = None,
        multipliers: np.ndarray | None = None,
    ) -> Any:
        """Return the history to be kept."""
        return self._system.accepted(time, q, history, v, multipliers)

    def fastest_spin(self, v: np.ndarray) -> float:
        """Return the largest angular speed."""
        return self._system.fastest_spin(v)

    def longest_approach(self, state: "State") -> float:
        """Return the longest step that cannot miss a first contact."""
        return self._system.longest_approach(state)

    def has_overrun(self, before: "State", after: "State") -> bool:
        """Return whether a step may have missed one."""
        return self._system.has_overrun(before, after)

    def next_jump(self, state: "State") -> float:
        """Return the time of the next known jump of the forces."""
        return self._system.next_jump(state)

    def after_jump(self, state: "State") -> Any:
        """Return the history after the jump that is due."""
        return self._system.after_jump(state)

    def diagnose(
        self, time: float, q: np.ndarray, v: np.ndarray, history: Any, change: np.ndarray
    ) -> StepDiagnosis:
        """Return why a step does not converge."""
        return self._system.diagnose(time, q, v, history, change)


# Steps after which a closed pair acts like a smooth force, by the scheme's own formulas, which damp: a blow that takes
# fewer steps is elastic, one that takes more loses next to nothing in them. Until then a share of the velocity by
# contact bypasses damping (`Scheme.suits_damped_contact`), which is of first order: blocks pressed within 5 µs, damped
# by 1 µs of their stiffness, go 1.8 % too far in steps of 0.1 µs with α = −0.3, and 0.1 % with α = −0.05.
LASTING = 100


@record("continued pairs")
class ContinuedPairs:
    """All pairs at the start of a step, and how the forces of lasting ones acted within it.

    A scheme of second order takes them by a filtered force φ, as it does with smooth ones:

        φ₁ = c₀ f₁ + c₁ f₀ + c₂ φ₀,  impulse w₀ φ₀ + w₁ φ₁

    Attributes:
        before: of each joint the pairs at the start.
        weights: w₀ and w₁; their sum is the length of the step.
        memory: c₀, c₁ and c₂.
    """

    before: Before
    weights: tuple[float, float]
    memory: tuple[float, float, float]

    def impulse(
        self, number: int, start: np.ndarray, end: np.ndarray, ahead: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the impulses (n_pairs, k) of a joint's lasting pairs, and φ₁ − f₁ (n_pairs, k) of all.

        Args:
            number: of the joint, as in `before`.
            start, end: (n_pairs, k) forces of its pairs.
            ahead: φ₀ − f₀ (n_pairs, k), from the last step; zero at the first one.
        """
        which = self.before[number].lasting[:, None]
        start, end = np.where(which, start, 0.0), np.where(which, end, 0.0)
        first = start + ahead
        last = self.memory[0] * end + self.memory[1] * start + self.memory[2] * first
        return self.weights[0] * first + self.weights[1] * last, last - end


@record("state")
class State:
    """State of a system at a time: everything that changes, cheap to copy.

    Accelerations and multipliers are kept in two parts: the smooth one, and the one by contact at this state alone.
    For each joint, `closed` marks the closed pairs, `gaps` has their gaps, `lasted` the number of steps for which they
    have been closed, and `continued` marks those that acted like smooth forces in the step that led to this state.
    `followed_v` (n,) replaces v for interpolation between steps (`slope`).
    """

    time: float
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    multipliers: np.ndarray
    history: Any
    contact_a: np.ndarray | None = None
    contact_multipliers: np.ndarray | None = None
    closed: Pairs | None = None
    gaps: Pairs | None = None
    lasted: Pairs | None = None
    followed_v: np.ndarray | None = None
    continued: ContinuedPairs | None = None

    @property
    def slope(self) -> np.ndarray:
        """(n,) velocity for the interpolation between steps."""
        return self.v if self.followed_v is None else self.followed_v

    @property
    def all_accelerations(self) -> np.ndarray:
        """(n,) accelerations, contact included."""
        return self.a if self.contact_a is None else np.asarray(self.a + self.contact_a)

    @property
    def all_multipliers(self) -> np.ndarray:
        """(m,) multipliers of the constraints, contact included."""
        if self.contact_multipliers is None:
            return self.multipliers
        return np.asarray(self.multipliers + self.contact_multipliers)


@dataclass
class RunReport:
    """Effort and step lengths of a run.

    `seconds` is the time by kind of work: contact, forces, constraints, Jacobians, output, and iteration (the rest).
    `processor_seconds` is the processor time of all steps after the first, in which code may still be compiled.
    `tiny_steps` counts steps close to the shortest length that is ever tried, `shortened_steps` those that were kept
    short because the corrections of longer ones had not converged; these cover `shortened_time`.
    """

    steps: int = 0
    rejected_by_error: int = 0
    rejected_by_iteration: int = 0
    iterations: int = 0
    jacobians: int = 0
    smallest_step: float = np.inf
    largest_step: float = 0.0
    last_time: float = 0.0
    processor_seconds: float = 0.0
    tiny_steps: int = 0
    shortened_steps: int = 0
    shortened_time: float = 0.0
    seconds: dict[str, float] = field(default_factory=dict)

    def count_step(self, length: float, time: float) -> None:
        """Count an accepted step of a length, which ends at a time."""
        self.steps += 1
        self.smallest_step = min(self.smallest_step, length)
        self.largest_step = max(self.largest_step, length)
        self.last_time = time

    def summary(self) -> dict[str, Any]:
        """Return plain numbers, as a run report stores them."""
        return asdict(self)


@record("run memory")
class RunMemory:
    """All data from which a run resumes after a step with bit-identical results.

    Attributes:
        begun: time at which the run began.
        shown: the state accepted last, as the output got it.
        carried: what the last step hands to the next one (`faying.solvers.integrators._step.Carried`).
        report: the run report so far.
    """

    begun: float
    shown: State
    carried: Any
    report: dict[str, Any]

    @property
    def time(self) -> float:
        """Time of the state accepted last."""
        return self.shown.time


Output = Callable[[State, State], None]  # called with the states before and after each accepted step
Recall = Callable[[], RunMemory | None]  # makes the memory; None while a step is being accepted


class Integrator(Member):
    """Settings of a time integrator."""

    def fast_coordinates(self, system: DynamicSystem, q: np.ndarray) -> np.ndarray:
        """Return (n,) which coordinates are quasi-static in a run from q; none without separation of modes."""
        return np.zeros(system.n, dtype=bool)

    def least_steps(self, duration: float) -> float:
        """Return the least number of steps of a run over a duration."""
        return 1.0

    @property
    def suits_damped_contact(self) -> bool:
        """Whether contact on fast, heavily damped modes causes no spurious damping forces."""
        return True

    @abstractmethod
    def integrate(
        self,
        system: DynamicSystem,
        start: State,
        end_time: float,
        accepted: Output,
        progress: Progress,
        *,
        memory: RunMemory | None = None,
        remember: Callable[[Recall], None] | None = None,
        events: Any = None,
    ) -> RunReport:
        """Integrate from `start` until `end_time` is reached or passed; `accepted` sees every step.

        Args:
            system: the moving system.
            start: state at which the run begins, also for a resumed run.
            end_time: see above.
            accepted: called with the states before and after each step.
            progress: reports and cancels.
            memory: of an interrupted run with the same settings from the same start, which is resumed.
            remember: called after each accepted step with a function that returns the memory there.
            events: at which steps end and the run may go on with another system
                (`faying.solvers.run_events.RunEvents`); None for none.

        Raises:
            SolveError: when the step becomes too small; names the time and a remedy.
        """


def consistent_start(system: DynamicSystem, time: float, q: np.ndarray, v: np.ndarray, history: Any) -> State:
    """Return the state with accelerations and multipliers that satisfy the equations of motion.

    Velocity-dependent constraint terms are taken by differences of C_q along v.

    Args:
        system: the moving system.
        time: of the state.
        q, v: (n,) position and velocity.
        history: of the state itself, pairs that touch closed; see `faying.joints.pointwise.resting_history`.
    """
    smooth = system.forces(time, q, v, history, jacobian=False).force
    contact = system.contact(q, history, 0.0, jacobian=False)
    if contact is not None and contact.lasting is not None:
        smooth = smooth + contact.lasting.force
    _, rows = system.constraints(time, q, history)
    drift = constraint_drift(system, time, q, v, history)
    inertia = ConstrainedInertia(system.mass(q), rows, system.without_inertia)
    a, multipliers = inertia.accelerations(smooth, drift)
    state = State(time, q.copy(), v.copy(), a, multipliers, history)
    if contact is None:
        return state
    contact_a, contact_multipliers = inertia.accelerations(contact.force)
    state = replace(state, contact_a=contact_a, contact_multipliers=contact_multipliers)
    if contact.closed is None:
        return state
    lasted = tuple(np.where(mask, LASTING, 0) for mask in contact.closed)
    return replace(state, closed=contact.closed, gaps=contact.gaps, lasted=lasted)


def constraint_drift(
    system: DynamicSystem, time: float, q: np.ndarray, v: np.ndarray, history: Any
) -> np.ndarray:
    """Return d (m,) of the constraints on accelerations C_q a = d, d = −∂²C/∂t² − (C_q v)_q v, by differences along v.

    Args:
        system, time, q, v, history: as of `consistent_start`.
    """
    drift = -system.constraint_rates(time)[1]
    if not len(drift) or not np.abs(v).max(initial=0.0) > 0.0:
        return drift
    # Coordinates are judged as lengths: those of a rotation have none of their own.
    reach = float(np.abs(system.scales * q).max()) or 1.0
    step = 1e-6 * reach / float(np.abs(system.scales * v).max())
    further = system.constraints(time, q + step * v, history)[1]
    behind = system.constraints(time, q - step * v, history)[1]
    return np.asarray(drift - ((further - behind) / (2 * step)) @ v)


class ConstrainedInertia:
    """Factored equations for accelerations by forces, with constraints, at one position: M a + C_qᵀ λ = f, C_q a = d.

    Attributes:
        mass: M (n, n).

    Args:
        mass: see above.
        rows: C_q (m, n).
        alone: (n,) mask of coordinates that M does not couple with others, such as those of
            `DynamicSystem.without_inertia`; None for none.
    """

    def __init__(self, mass: np.ndarray, rows: np.ndarray, alone: np.ndarray | None = None) -> None:
        self.mass = mass
        n, m = len(mass), len(rows)
        # Where no constraint couples those either, a = f / m, and the matrix is smaller.
        free = np.zeros(n, bool) if alone is None else alone & ~rows.any(axis=0)
        self._n, self._free = n, np.flatnonzero(free)
        self._coupled = np.flatnonzero(~free) if len(self._free) else None
        self._own = mass[self._free, self._free]
        if self._coupled is not None:
            mass, rows = mass[np.ix_(self._coupled, self._coupled)], rows[:, self._coupled]
        self._symmetric = self._general = self._pivots = np.zeros(0)
        self._constrained = m > 0
        if m:
            matrix = np.block([[mass, rows.T], [rows, np.zeros((m, m))]])
            self._general, self._pivots = la.lu_factor(matrix, check_finite=False)
        else:
            self._symmetric, _ = la.cho_factor(mass, check_finite=False)

    def accelerations(
        self, force: np.ndarray, drift: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return a (n,) and λ (m,) for forces f (n,) and d = `drift` (m,), which is zero if None."""
        if self._coupled is None:
            return self._of_coupled(force, drift)
        found = np.empty(self._n)
        found[self._coupled], multipliers = self._of_coupled(force[self._coupled], drift)
        found[self._free] = force[self._free] / self._own
        return found, multipliers

    def _of_coupled(self, force: np.ndarray, drift: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        # LAPACK itself: SciPy's wrappers take longer than the solution of small systems.
        if not self._constrained:
            return np.asarray(la.lapack.dpotrs(self._symmetric, force)[0]), np.zeros(0)
        n, right = len(force), np.zeros(len(self._pivots))
        right[:n] = force
        if drift is not None:
            right[n:] = drift
        solution = la.lapack.dgetrs(self._general, self._pivots, right)[0]
        return solution[:n], solution[n:]


def interpolate(before: State, after: State, time: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (q, v) between two states by cubic Hermite interpolation with their slopes."""
    h = after.time - before.time
    s = (time - before.time) / h
    q = (
        (1 + 2 * s) * (1 - s) ** 2 * before.q
        + s * (1 - s) ** 2 * h * before.slope
        + s**2 * (3 - 2 * s) * after.q
        + s**2 * (s - 1) * h * after.slope
    )
    v = (
        6 * s * (s - 1) / h * before.q
        + (1 - s) * (1 - 3 * s) * before.slope
        + 6 * s * (1 - s) / h * after.q
        + s * (3 * s - 2) * after.slope
    )
    return q, v
