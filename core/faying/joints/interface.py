"""The force of a joint on its body: from coordinates to gaps, through the laws, back to generalised forces.

Virtual work of a pair of weight w: δW = w (p δg − τ · δs). Pressure opens the gap, friction acts against the
slip. So with gap = g₀ + Gn q and slip = Gt q, the generalised force on the body is Q = Gnᵀ(w p) − Gtᵀ(w τ).
"""

from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self

import numpy as np
import scipy.sparse as sp

from faying.joints import kernels
from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.jacobian import JointJacobian, joint_jacobian, local_blocks
from faying.joints.kinematics import SparseRows
from faying.joints.pointwise import (
    ClosedPairs,
    PointForces,
    history_size,
    joint_size,
    pointwise,
    resting_history,
)
from faying.joints.step_mean import PairsBefore, over_step, stored_energies


class DenseRows(Protocol):
    """Gap and slip over r coordinates: gap = initial_gaps + normal @ q, slip = tangential @ q.

    `normal` is (n, r), `tangential` (n, 2, r), `weights` and `initial_gaps` (n,).
    """

    @property
    def normal(self) -> np.ndarray:
        """(n, r)."""

    @property
    def tangential(self) -> np.ndarray:
        """(n, 2, r)."""

    @property
    def weights(self) -> np.ndarray:
        """(n,)."""

    @property
    def initial_gaps(self) -> np.ndarray:
        """(n,)."""


@dataclass(frozen=True, eq=False)
class DenseJointRows:
    """Rows of a joint over r coordinates.

    Attributes:
        normal, tangential: (n, r) and (n, 2, r).
        weights, initial_gaps: (n,).
    """

    normal: np.ndarray
    tangential: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray

    def forces(self, pressure: np.ndarray, stress: np.ndarray) -> np.ndarray:
        """Return (…, r) generalised forces of pressures (…, n) and friction stresses (…, n, 2)."""
        n, _, r = self.tangential.shape
        pushed = (pressure * self.weights) @ self.normal
        sheared = (stress * self.weights[:, None]).reshape(*pressure.shape[:-1], 2 * n)
        return np.asarray(pushed - sheared @ self.tangential.reshape(2 * n, r))


@dataclass(frozen=True, eq=False)
class JointResponse(PointForces):
    """Response of a joint at one state: pressures and friction stresses at its pairs, and their total force.

    Attributes:
        force: (r,) generalised force on the body.
        jacobian: (r, r) ∂force/∂q, dense or CSR like the rows; None when not requested.
        gap: (n,).
        sudden, going_on: (r,) forces within a step of pairs that open or close, and of lasting pairs
            (`faying.joints.step_mean`); `force` where no start was given.
        last: the dense Jacobian with the blocks of all pairs, for later updates; None when not requested.
    """

    force: np.ndarray
    jacobian: Any
    gap: np.ndarray
    sudden: np.ndarray
    going_on: np.ndarray
    last: JointJacobian | None = None

    @property
    def is_closed(self) -> np.ndarray:
        """(n,) which pairs are closed."""
        mask = np.zeros(self.n, dtype=bool)
        mask[self.closed.pairs] = True
        return mask

    @property
    def acting_gaps(self) -> np.ndarray:
        """(n,) gaps of the pairs with forces that sum to `force`."""
        return self.gap


def pair_forces(answer: PointForces, weights: np.ndarray) -> np.ndarray:
    """Return (n, 3) the forces at the pairs of a joint along normal, tangent 1 and tangent 2.

    The first presses its surfaces apart, the others act against the slip of the slave.

    Args:
        answer: of the joint.
        weights: (n,) areas of its pairs.
    """
    return np.asarray(weights[:, None] * np.column_stack([answer.pressure, answer.stress]))


@dataclass(frozen=True, eq=False)
class JointForce:
    """The joint force over dense rows of a reduced body; constant while a problem is solved.

    Args:
        rows: gap and slip rows of the joint (`faying.reduction.body.JointRows`).
        contact_law: pressure over gap.
        friction_law: friction stress over slip; None for a frictionless joint.
        limits: (n_pairs,) sticking limits instead of those of the pressures, see `pointwise`.
        initial_slips: (n_pairs, 2) slips at q = 0; zero without them.
    """

    rows: DenseRows
    contact_law: ContactLaw
    friction_law: FrictionLaw | None = None
    limits: np.ndarray | None = None
    initial_slips: np.ndarray | None = None
    _normal: np.ndarray = field(init=False, repr=False)
    _tangential: np.ndarray = field(init=False, repr=False)
    _weights: np.ndarray = field(init=False, repr=False)
    _size: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Copy the rows to contiguous arrays, as the kernels need them."""
        object.__setattr__(self, "_size", joint_size(self.rows.weights))
        for name in ("normal", "tangential", "weights"):
            object.__setattr__(self, f"_{name}", np.ascontiguousarray(getattr(self.rows, name), float))

    def initial_history(self) -> np.ndarray:
        """Return (n, h) zeros: all pairs open."""
        return np.zeros((len(self._normal), history_size(self.friction_law)))

    def lifted(self, offset: np.ndarray) -> Self:
        """Return the joint force with initial gaps reduced by an offset (n,)."""
        rows: Any = self.rows
        return replace(self, rows=replace(rows, initial_gaps=rows.initial_gaps - offset))

    def gaps(self, q: np.ndarray) -> np.ndarray:
        """Return (n,) gaps at q, positive when open."""
        return np.asarray(self.rows.initial_gaps + self._normal @ q)

    def total_slip(self, q: np.ndarray) -> np.ndarray:
        """Return (n, 2) tangential displacements since the undeformed state."""
        found = np.asarray(self._tangential @ q)
        return found if self.initial_slips is None else found + self.initial_slips

    def about(self, q: np.ndarray, motions: np.ndarray) -> "JointForce":
        """Return the joint force over amplitudes x of motions about a state: its coordinates are q + motions @ x.

        Args:
            q: (r,) the state.
            motions: (r, k).
        """
        rows = DenseJointRows(
            self.rows.normal @ motions, self.rows.tangential @ motions, self.rows.weights, self.gaps(q)
        )
        return JointForce(rows, self.contact_law, self.friction_law, self.limits, self.total_slip(q))

    def resting_history(self, q: np.ndarray) -> np.ndarray:
        """Return (n, h) history of a body that rests at q; see `faying.joints.pointwise.resting_history`."""
        laws = self.contact_law, self.friction_law
        return resting_history(*laws, self.gaps(q), self.total_slip(q), self._weights)

    def evaluate(
        self,
        q: np.ndarray,
        history: np.ndarray,
        time_step: float,
        *,
        jacobian: bool,
        last: JointJacobian | None = None,
        before: PairsBefore | None = None,
    ) -> JointResponse:
        """Return force, new history and, if requested, the Jacobian.

        A pure function of its arguments.

        Args:
            q: (r,) coordinates.
            history: (n, h) committed at the last accepted step.
            time_step: time since then.
            jacobian: whether to compute ∂force/∂q.
            before: the pairs at the start of the step; without them the Jacobian is that of `force`.
            last: `last` of an earlier response; the Jacobian is then updated where few pairs changed since.
        """
        # All normal rows are read once, tangential rows of closed pairs alone.
        gap = self._normal @ q
        gap += self.rows.initial_gaps
        points = pointwise(
            self.contact_law, self.friction_law, gap, lambda pairs: self._slips_of(pairs, q), history, time_step,
            size=self._size, derivatives=jacobian, limits=self.limits,
        )  # fmt: skip
        # Open pairs have neither pressure nor friction.
        closed = points.closed
        acting, lasting = closed, np.ones(len(closed.pairs), bool)
        force = going_on = self._summed(closed, lasting)
        sudden = force
        if before is not None:
            acting = over_step(self.contact_law, closed, gap, before)
            lasting = before.lasting[acting.pairs]
            sudden = self._summed(acting, ~lasting)
            going_on = self._summed(acting, lasting)
        if not jacobian:
            return JointResponse(points.n, closed, force, None, gap, sudden, going_on)
        weights = self._weights[acting.pairs]
        if before is not None:
            weights = weights * before.factors[acting.pairs]
        made = joint_jacobian(
            last, self._normal, self._tangential, acting.pairs, local_blocks(acting, weights)
        )
        return JointResponse(points.n, closed, force, made.matrix, gap, sudden, going_on, made)

    def _slips_of(self, pairs: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Return (m, 2) slips of some pairs."""
        found = kernels.slips(self._tangential, pairs, q)
        return found if self.initial_slips is None else found + self.initial_slips[pairs]

    def _summed(self, closed: ClosedPairs, which: np.ndarray) -> np.ndarray:
        """Return (r,) the generalised force of some of the pairs."""
        stress = np.zeros((len(closed.pairs), 0)) if closed.stress is None else closed.stress
        pairs, pressure = closed.pairs, closed.pressure
        if not which.all():
            pairs, pressure, stress = pairs[which], pressure[which], stress[which]
        return kernels.force(self._normal, self._tangential, pairs, self._weights, pressure, stress)

    def without_friction(self) -> Self:
        """Return the same joint without friction."""
        return replace(self, friction_law=None)

    def stored_energy(self, answer: JointResponse) -> float:
        """Return the energy stored by the contact law in a response."""
        pairs = answer.closed.pairs
        return float(self._weights[pairs] @ stored_energies(self.contact_law, answer.gap[pairs]))

    def friction_force(self, answer: JointResponse) -> np.ndarray:
        """Return (r,) the part of friction in the generalised force of a response."""
        closed = answer.closed
        if closed.stress is None:
            return np.zeros_like(answer.force)
        none = np.zeros_like(closed.pressure)
        return kernels.force(self._normal, self._tangential, closed.pairs, self._weights, none, closed.stress)


@dataclass(frozen=True, eq=False)
class SparseJointForce:
    """The joint force over sparse rows of an unreduced body; same laws, same signs, CSR Jacobian.

    Args:
        rows: gap and slip rows of the joint (`faying.joints.kinematics.sparse_rows`).
        contact_law: pressure over gap.
        friction_law: friction stress over slip; None for a frictionless joint.
        limits: (n_pairs,) sticking limits instead of those of the pressures, see `pointwise`.
    """

    rows: SparseRows
    contact_law: ContactLaw
    friction_law: FrictionLaw | None = None
    limits: np.ndarray | None = None

    def initial_history(self) -> np.ndarray:
        """Return (n, h) zeros: all pairs open."""
        return np.zeros((len(self.rows.weights), history_size(self.friction_law)))

    def lifted(self, offset: np.ndarray) -> Self:
        """Return the joint force with initial gaps reduced by an offset (n,)."""
        rows: Any = self.rows
        return replace(self, rows=replace(rows, initial_gaps=rows.initial_gaps - offset))

    def gaps(self, x: np.ndarray) -> np.ndarray:
        """Return (n,) gaps at x, positive when open."""
        return np.asarray(self.rows.initial_gaps + self.rows.normal @ x)

    def total_slip(self, x: np.ndarray) -> np.ndarray:
        """Return (n, 2) tangential displacements since the undeformed state."""
        return np.asarray((self.rows.tangential @ x).reshape(-1, 2))

    def resting_history(self, x: np.ndarray) -> np.ndarray:
        """Return (n, h) history of a body that rests at x; see `faying.joints.pointwise.resting_history`."""
        laws = self.contact_law, self.friction_law
        return resting_history(*laws, self.gaps(x), self.total_slip(x), self.rows.weights)

    def without_friction(self) -> Self:
        """Return the same joint without friction."""
        return replace(self, friction_law=None)

    def evaluate(
        self, x: np.ndarray, history: np.ndarray, time_step: float, *, jacobian: bool
    ) -> JointResponse:
        """Return force (n_dofs,), new history and, if requested, the Jacobian; see `JointForce.evaluate`."""
        rows = self.rows
        gap = rows.initial_gaps + rows.normal @ x

        def total_slip(pairs: np.ndarray) -> np.ndarray:
            slips: np.ndarray = (rows.tangential @ x).reshape(-1, 2)[pairs]
            return slips

        points = pointwise(
            self.contact_law, self.friction_law, gap, total_slip, history, time_step,
            size=joint_size(rows.weights), derivatives=jacobian, limits=self.limits,
        )  # fmt: skip
        force = rows.normal.T @ (rows.weights * points.pressure)
        if self.friction_law is not None:
            force = force - rows.tangential.T @ (rows.weights[:, None] * points.stress).ravel()
        matrix = _sparse_jacobian(points.closed, rows) if jacobian else None
        force = np.asarray(force)
        return JointResponse(points.n, points.closed, force, matrix, gap, force, force)


def _sparse_jacobian(closed: ClosedPairs, rows: SparseRows) -> sp.csr_matrix:
    """Return ∂Q/∂x, CSR (n_dofs, n_dofs), from the closed pairs."""
    pairs = closed.pairs
    m = len(pairs)
    weights, normal = rows.weights[pairs], rows.normal[pairs]
    jacobian = normal.T @ sp.diags(weights * closed.d_pressure) @ normal
    if closed.d_slip is None or closed.d_gap is None:
        return sp.csr_matrix(jacobian)
    tangential = rows.tangential[np.column_stack([2 * pairs, 2 * pairs + 1]).ravel()]
    # Block diagonal ∂τ/∂s (2m, 2m), and ∂τ/∂gap (2m, m).
    blocks = weights[:, None, None] * closed.d_slip
    d_slip = sp.bsr_matrix((blocks, np.arange(m), np.arange(m + 1)), shape=(2 * m, 2 * m))
    d_gap = sp.csr_matrix(
        ((weights[:, None] * closed.d_gap).ravel(), np.repeat(np.arange(m), 2), np.arange(2 * m + 1)),
        shape=(2 * m, m),
    )
    change = d_slip @ tangential + d_gap @ normal
    return sp.csr_matrix(jacobian - tangential.T @ change)
