"""Joints in small motion about an equilibrium: closed pairs as springs."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.interface import DenseRows
from faying.joints.kinematics import SparseRows
from faying.joints.pointwise import ClosedPairs, PointForces, history_size, joint_size, pointwise, touches

_DEPTH = 1e-4  # penetration over a pair's size, at which a pair that just touches takes the laws' stiffness

_FURTHER = (
    1e-5  # of the slip at which a sticking pair would reach its stress: step of the slip for the tangent
)

Sticking = Literal["equilibrium", "tangent", "stuck", "sliding", "open"]
"""Which closed pairs hold each other sideways: those that stick in the equilibrium, each by the tangent of its friction
law there, all, or none. In an open joint no pair resists, in the normal direction either."""


@dataclass(frozen=True, eq=False)
class PairSprings:
    """The stiffness of each pair of a joint; zero for open pairs.

    Attributes:
        normal: (n,) force per gap.
        tangential: (n, 2, 2) force per slip, zero for a pair that slides.
    """

    normal: np.ndarray
    tangential: np.ndarray

    @property
    def closed(self) -> int:
        """Number of closed pairs."""
        return int(np.count_nonzero(self.normal))

    @property
    def sticking(self) -> int:
        """Number of pairs with a tangential stiffness."""
        return int(self.tangential.any(axis=(1, 2)).sum())

    def over(self, rows: DenseRows) -> np.ndarray:
        """Return the stiffness (r, r) over the coordinates of dense rows."""
        found = np.asarray(rows.normal.T @ (self.normal[:, None] * rows.normal))
        if self.sticking:
            sideways = rows.tangential.reshape(-1, rows.tangential.shape[2])
            moved = self.tangential @ rows.tangential
            found = found + sideways.T @ moved.reshape(sideways.shape)
        return np.asarray(0.5 * (found + found.T))

    def over_dofs(self, rows: SparseRows) -> sp.csr_matrix:
        """Return the stiffness, CSR (n_dofs, n_dofs), over the dofs of sparse rows."""
        n = len(self.normal)
        blocks = sp.bsr_matrix(
            (self.tangential, np.arange(n), np.arange(n + 1)), shape=(2 * n, 2 * n)
        ).tocsr()
        found: Any = rows.normal.T @ sp.diags(self.normal) @ rows.normal
        found = found + rows.tangential.T @ blocks @ rows.tangential
        return sp.csr_matrix(0.5 * (found + found.T))


def pair_springs(
    contact_law: ContactLaw,
    friction_law: FrictionLaw | None,
    answer: PointForces,
    weights: np.ndarray,
    sticking: Sticking,
) -> PairSprings:
    """Return the springs that replace a joint in small motion about an equilibrium.

    A closed pair has the tangent of the contact law at its pressure. One that sticks has the initial stiffness of the
    friction law at this pressure; that is also its stiffness when the slip reverses. The tangent of the friction law in
    the equilibrium is its stiffness when the slip continues: the symmetric part, never negative.

    Args:
        contact_law, friction_law: of the joint; without friction all pairs slide.
        answer: of the joint in the equilibrium.
        weights: (n,) areas of the pairs.
        sticking: which closed pairs have a tangential stiffness.
    """
    closed, n = answer.closed, answer.n
    pairs = closed.pairs
    normal, tangential = np.zeros(n), np.zeros((n, 2, 2))
    if sticking == "open":
        return PairSprings(normal, tangential)
    # A pair that just touches has a stiffness to one side only.
    normal[pairs] = -closed.d_pressure * weights[pairs] * closed.touching
    if friction_law is None or sticking == "sliding" or not len(pairs):
        return PairSprings(normal, tangential)
    slipping = np.ones(len(pairs), bool) if closed.slipping is None else closed.slipping
    limit = friction_law.sticking_limit(closed.pressure)[0]
    nothing = np.zeros((len(pairs), friction_law.history_size))
    begun = friction_law.traction(np.zeros((len(pairs), 2)), limit, nothing, 0.0)
    assert begun.d_slip is not None
    holds = closed.touching if sticking in ("stuck", "tangent") else closed.touching & ~slipping
    springs = _symmetric(begun.d_slip)
    if sticking == "tangent":
        springs = _continued(friction_law, closed, limit, springs)
    tangential[pairs] = (holds * weights[pairs])[:, None, None] * springs
    return PairSprings(normal, tangential)


def _continued(law: FrictionLaw, closed: ClosedPairs, limit: np.ndarray, begun: np.ndarray) -> np.ndarray:
    """Return (n, 2, 2) the stiffness of closed pairs when their slip continues in the direction of their stress.

    A state that was reached by slipping lies on the limit, where a law also has the stiffness of a slip that reverses.

    Args:
        law: of friction.
        closed: the pairs in the equilibrium.
        limit: (n,) sticking limits.
        begun: (n, 2, 2) first stiffness of the pairs.
    """
    if closed.stress is None or closed.slip is None or closed.memory is None:
        return begun
    stiffness = 0.5 * np.trace(begun, axis1=1, axis2=2)
    further = _FURTHER * closed.stress / np.where(stiffness > 0.0, stiffness, np.inf)[:, None]
    found = law.traction(closed.slip + further, limit, closed.memory, 0.0).d_slip
    assert found is not None
    values, vectors = np.linalg.eigh(_symmetric(found))
    return np.asarray(np.einsum("nij,nj,nkj->nik", vectors, np.maximum(values, 0.0), vectors))


def _symmetric(blocks: np.ndarray) -> np.ndarray:
    """Return the symmetric parts of matrices (n, 2, 2)."""
    return np.asarray(0.5 * (blocks + blocks.transpose(0, 2, 1)))


def touching_springs(
    contact_law: ContactLaw,
    friction_law: FrictionLaw | None,
    gaps: np.ndarray,
    weights: np.ndarray,
    sticking: Sticking,
) -> PairSprings:
    """Return springs at the pairs of a joint that touch without pressure, as if slightly pressed.

    Args:
        contact_law, friction_law: of the joint; without friction all pairs slide.
        gaps: (n,).
        weights: (n,) areas of the pairs.
        sticking: which closed pairs have a tangential stiffness.
    """
    depth = _DEPTH * float(np.sqrt(np.median(weights))) if len(weights) else 0.0
    pressed = np.where(touches(contact_law, gaps, weights), contact_law.closing_gap() - depth, np.inf)
    history = np.zeros((len(gaps), history_size(friction_law)))
    answer = pointwise(
        contact_law, friction_law, pressed, lambda pairs: np.zeros((len(pairs), 2)), history, 0.0,
        size=joint_size(weights),
    )  # fmt: skip
    return pair_springs(contact_law, friction_law, answer, weights, sticking)
