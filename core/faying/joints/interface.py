"""The force of a joint on its body: from coordinates to gaps, through the laws, back to generalised forces.

Virtual work of a pair of weight w: δW = w (p δg − τ · δs). Pressure opens the gap, friction acts against the
slip. So with gap = g₀ + Gn q and slip = Gt q, the generalised force on the body is Q = Gnᵀ(w p) − Gtᵀ(w τ).
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.kinematics import SparseRows
from faying.joints.pointwise import PointForces, history_size, pointwise

# Above this share of closed pairs a product with all tangential rows beats gathering the closed ones.
_GATHER_BELOW = 0.25


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
class JointResponse:
    """What a joint answers for one state.

    Attributes:
        force: (r,) generalised force on the body.
        jacobian: (r, r) ∂force/∂q, dense or CSR like the rows; None when not asked for.
        history: (n, h) new history, to be committed when the step is accepted; h = 0 without friction.
        gap, pressure: (n,).
        slip, stress: (n, 2); zero where open, and without friction.
        status: (n,) values of `ContactStatus`.
    """

    force: np.ndarray
    jacobian: Any
    history: np.ndarray
    gap: np.ndarray
    pressure: np.ndarray
    slip: np.ndarray
    stress: np.ndarray
    status: np.ndarray


@dataclass(frozen=True, eq=False)
class JointForce:
    """The joint force over dense rows of a reduced body; constant while a problem is solved.

    Args:
        rows: gap and slip rows of the joint (`faying.reduction.body.JointRows`).
        contact_law: pressure over gap.
        friction_law: friction stress over slip; None for a frictionless joint.
    """

    rows: DenseRows
    contact_law: ContactLaw
    friction_law: FrictionLaw | None = None
    _normal: np.ndarray = field(init=False, repr=False)
    _tangential: np.ndarray = field(init=False, repr=False)
    _together: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Lay out the rows: normal rows contiguous; both tangential rows of a pair; all three of a pair."""
        normal = np.ascontiguousarray(self.rows.normal, float)
        tangential = np.ascontiguousarray(self.rows.tangential, float)
        object.__setattr__(self, "_normal", normal)
        object.__setattr__(self, "_tangential", tangential.reshape(-1, normal.shape[1]))
        together = normal[:, None] if self.friction_law is None else np.hstack([tangential, normal[:, None]])
        object.__setattr__(self, "_together", together)

    def initial_history(self) -> np.ndarray:
        """Return (n, h) zeros: all pairs open."""
        return np.zeros((len(self._normal), history_size(self.friction_law)))

    def evaluate(
        self, q: np.ndarray, history: np.ndarray, time_step: float, *, jacobian: bool
    ) -> JointResponse:
        """Return force, new history and, if asked for, the Jacobian.

        The same committed history gives the same answer; nothing is remembered here.

        Args:
            q: (r,) coordinates.
            history: (n, h) committed at the last accepted step.
            time_step: time since then.
            jacobian: whether to compute ∂force/∂q.
        """
        weights = self.rows.weights
        gap = self.rows.initial_gaps + self._normal @ q
        n, r = self._normal.shape
        few: list[np.ndarray] = []

        def total_slip(closed: np.ndarray) -> np.ndarray:
            if len(closed) > _GATHER_BELOW * n:
                slips: np.ndarray = (self._tangential @ q).reshape(n, 2)[closed]
                return slips
            few.append(self._tangential.reshape(n, 2, r)[closed].reshape(-1, r))
            return np.asarray(few[0] @ q).reshape(-1, 2)

        points = pointwise(
            self.contact_law,
            self.friction_law,
            gap,
            total_slip,
            history,
            time_step,
            derivatives=jacobian,
        )
        force = (weights * points.pressure) @ self._normal
        closed = points.closed
        if few:
            force -= (weights[closed, None] * points.stress[closed]).ravel() @ few[0]
        elif self.friction_law is not None:
            force -= (weights[:, None] * points.stress).ravel() @ self._tangential
        matrix = _dense_jacobian(points, weights[closed], self._together[closed]) if jacobian else None
        return _response(force, matrix, gap, points)


@dataclass(frozen=True, eq=False)
class SparseJointForce:
    """The joint force over sparse rows of an unreduced body; same laws, same signs, CSR Jacobian.

    Args:
        rows: gap and slip rows of the joint (`faying.joints.kinematics.sparse_rows`).
        contact_law: pressure over gap.
        friction_law: friction stress over slip; None for a frictionless joint.
    """

    rows: SparseRows
    contact_law: ContactLaw
    friction_law: FrictionLaw | None = None

    def initial_history(self) -> np.ndarray:
        """Return (n, h) zeros: all pairs open."""
        return np.zeros((len(self.rows.weights), history_size(self.friction_law)))

    def evaluate(
        self, x: np.ndarray, history: np.ndarray, time_step: float, *, jacobian: bool
    ) -> JointResponse:
        """Return force (n_dofs,), new history and, if asked for, the Jacobian; see `JointForce.evaluate`."""
        rows = self.rows
        gap = rows.initial_gaps + rows.normal @ x

        def total_slip(closed: np.ndarray) -> np.ndarray:
            slips: np.ndarray = (rows.tangential @ x).reshape(-1, 2)[closed]
            return slips

        points = pointwise(
            self.contact_law,
            self.friction_law,
            gap,
            total_slip,
            history,
            time_step,
            derivatives=jacobian,
        )
        force = rows.normal.T @ (rows.weights * points.pressure)
        if self.friction_law is not None:
            force = force - rows.tangential.T @ (rows.weights[:, None] * points.stress).ravel()
        matrix = _sparse_jacobian(points, rows) if jacobian else None
        return _response(np.asarray(force), matrix, gap, points)


def _response(force: np.ndarray, matrix: Any, gap: np.ndarray, points: PointForces) -> JointResponse:
    return JointResponse(
        force=force, jacobian=matrix, history=points.history, gap=gap, pressure=points.pressure,
        slip=points.slip, stress=points.stress, status=points.status,
    )  # fmt: skip


def _dense_jacobian(points: PointForces, weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return ∂Q/∂q from the m closed pairs.

    Args:
        points: what the laws say.
        weights: (m,).
        rows: (m, 3, r) slip 1, slip 2 and gap of each pair; (m, 1, r) gap alone without friction.
    """
    m, k, r = rows.shape
    # Change of (−τ₁, −τ₂, p) with (slip 1, slip 2, gap), then with q.
    local = np.zeros((m, k, k))
    local[:, -1, -1] = points.d_pressure
    if points.d_slip is not None and points.d_gap is not None:
        local[:, :2, :2] = -points.d_slip
        local[:, :2, 2] = -points.d_gap
    change = (weights[:, None, None] * local) @ rows
    jacobian: np.ndarray = rows.reshape(-1, r).T @ change.reshape(-1, r)
    return jacobian


def _sparse_jacobian(points: PointForces, rows: SparseRows) -> sp.csr_matrix:
    """Return ∂Q/∂x, CSR (n_dofs, n_dofs), from the closed pairs."""
    closed = points.closed
    m = len(closed)
    weights, normal = rows.weights[closed], rows.normal[closed]
    jacobian = normal.T @ sp.diags(weights * points.d_pressure) @ normal
    if points.d_slip is None or points.d_gap is None:
        return sp.csr_matrix(jacobian)
    tangential = rows.tangential[np.column_stack([2 * closed, 2 * closed + 1]).ravel()]
    # Block diagonal ∂τ/∂s (2m, 2m), and ∂τ/∂gap (2m, m).
    blocks = weights[:, None, None] * points.d_slip
    d_slip = sp.bsr_matrix((blocks, np.arange(m), np.arange(m + 1)), shape=(2 * m, 2 * m))
    d_gap = sp.csr_matrix(
        ((weights[:, None] * points.d_gap).ravel(), np.repeat(np.arange(m), 2), np.arange(2 * m + 1)),
        shape=(2 * m, m),
    )
    change = d_slip @ tangential + d_gap @ normal
    return sp.csr_matrix(jacobian - tangential.T @ change)
