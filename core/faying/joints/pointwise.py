"""Contact and friction laws evaluated at each contact pair: pressure, friction stress, history, status.

For rows and the assembly of generalised forces see `faying.joints.interface`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

import numpy as np

from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw

# History per pair with friction: closed flag, total slip at closure s₁*, s₂* (thesis eq. 3.80), the law's own.
CLOSURE_SIZE = 3

# A penetration below this share of the joint's size (√ of its area) is round-off: faces that move as one have it.
TOUCH_TOLERANCE = 1e-10


class ContactStatus(IntEnum):
    """State of a contact pair (thesis section 2.4.1). A closed pair without friction slips.

    A pair with a penetration of round-off gapes: otherwise the last bit of a solution would decide the status of pairs
    with faces that move together at zero gap. The laws' forces have no such threshold; they vanish there.
    """

    GAPING = 0
    STICKING = 1
    SLIPPING = 2


@dataclass(frozen=True, eq=False)
class ClosedPairs:
    """Result of the laws at the m closed pairs; attributes of friction are None without a friction law.

    Attributes:
        pairs: (m,) numbers of the pairs, ascending.
        touching: (m,) whether the penetration is more than round-off; see `ContactStatus`.
        pressure: (m,) p ≥ 0.
        d_pressure: (m,) ∂p/∂gap.
        slip: (m, 2) slip since contact closed.
        start: (m, 2) total slip at closure s*.
        stress: (m, 2) friction stress τ with the virtual work −τ · δs.
        memory: (m, h') new history of the friction law.
        slipping: (m,) whether the sticking limit is reached.
        d_slip: (m, 2, 2) ∂τ/∂(total slip); None also when not requested.
        d_gap: (m, 2) ∂τ/∂gap, through the sticking limit; None also when not requested.
    """

    pairs: np.ndarray
    touching: np.ndarray
    pressure: np.ndarray
    d_pressure: np.ndarray
    slip: np.ndarray | None = None
    start: np.ndarray | None = None
    stress: np.ndarray | None = None
    memory: np.ndarray | None = None
    slipping: np.ndarray | None = None
    d_slip: np.ndarray | None = None
    d_gap: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class PointForces:
    """Result of the laws at n pairs, with pressure and friction at the closed ones.

    The arrays over all pairs are built on first access: most evaluations need the force alone.
    """

    n: int
    closed: ClosedPairs

    @cached_property
    def pressure(self) -> np.ndarray:
        """(n,) p ≥ 0, zero where open."""
        return self._over_all(self.closed.pressure)

    @cached_property
    def slip(self) -> np.ndarray:
        """(n, 2) slip since contact closed; zero where open, and without friction."""
        return np.zeros((self.n, 2)) if self.closed.slip is None else self._over_all(self.closed.slip)

    @cached_property
    def stress(self) -> np.ndarray:
        """(n, 2) friction stress τ with the virtual work −τ · δs; zero where open, and without friction."""
        return np.zeros((self.n, 2)) if self.closed.stress is None else self._over_all(self.closed.stress)

    @cached_property
    def history(self) -> np.ndarray:
        """(n, h) new history, for when the step is accepted; zero where open; h = 0 without friction."""
        closed = self.closed
        if closed.start is None or closed.memory is None:
            return np.zeros((self.n, 0))
        history = np.zeros((self.n, CLOSURE_SIZE + closed.memory.shape[1]))
        history[closed.pairs] = np.column_stack([np.ones(len(closed.pairs)), closed.start, closed.memory])
        return history

    @cached_property
    def status(self) -> np.ndarray:
        """(n,) values of `ContactStatus`."""
        closed = self.closed
        slipping = True if closed.slipping is None else closed.slipping
        status = np.zeros(self.n, np.int8)
        status[closed.pairs] = (
            np.where(slipping, ContactStatus.SLIPPING, ContactStatus.STICKING) * closed.touching
        )
        return status

    def _over_all(self, values: np.ndarray) -> np.ndarray:
        result = np.zeros((self.n, *values.shape[1:]))
        result[self.closed.pairs] = values
        return result


def history_size(friction_law: FrictionLaw | None) -> int:
    """Return the number of history variables of a contact pair; zero without friction."""
    return CLOSURE_SIZE + friction_law.history_size if friction_law is not None else 0


def joint_size(weights: np.ndarray) -> float:
    """Return a characteristic length of a joint: the square root of the sum of its pairs' areas (n,)."""
    return math.sqrt(weights.sum())


_TOUCHING = 1e-6  # of a pair's size: gaps below are round-off of coordinates in a deck


def touches(contact_law: ContactLaw, gap: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return (n,) which pairs touch: pressure begins at their gap or above it."""
    return np.asarray(gap <= contact_law.closing_gap() + _TOUCHING * np.sqrt(weights))


def resting_history(
    contact_law: ContactLaw,
    friction_law: FrictionLaw | None,
    gap: np.ndarray,
    total_slip: np.ndarray,
    weights: np.ndarray,
) -> np.ndarray:
    """Return (n, h) the history of pairs at rest: those that touch are closed, their slip and stress are zero there.

    Slip then counts from this state (s* of thesis eq. 3.80) whether or not there is pressure already: in surfaces that
    lie on each other, friction acts from the first load on.

    Args:
        contact_law, friction_law: the joint's laws; friction may be absent.
        gap: (n,) gaps, positive when open.
        total_slip: (n, 2) tangential displacements since the undeformed state.
        weights: (n,) areas.
    """
    history = np.zeros((len(gap), history_size(friction_law)))
    if friction_law is None:
        return history
    # Pairs under pressure have the history that the friction law returns; without pressure it is zero.
    pressed = pointwise(
        contact_law, friction_law, gap, total_slip.__getitem__, history, 0.0, size=joint_size(weights),
        derivatives=False,
    )  # fmt: skip
    closed = touches(contact_law, gap, weights)
    history[closed, 0] = 1.0
    history[closed, 1:CLOSURE_SIZE] = total_slip[closed]
    history[pressed.closed.pairs] = pressed.history[pressed.closed.pairs]
    return history


def pointwise(
    contact_law: ContactLaw,
    friction_law: FrictionLaw | None,
    gap: np.ndarray,
    total_slip: Callable[[np.ndarray], np.ndarray],
    history: np.ndarray,
    time_step: float,
    *,
    size: float,
    derivatives: bool = True,
    limits: np.ndarray | None = None,
) -> PointForces:
    """Return pressures, friction stresses and new history; a pure function.

    A pair that is open loses its history. When it closes, slip counts from there: s* is its total slip in this
    evaluation (thesis eq. 3.80), so that slip and stress are zero and move with s* until the state is committed.
    Pairs that touch at the start are closed before (`resting_history`).

    Args:
        contact_law, friction_law: the joint's laws; friction may be absent.
        gap: (n,) gaps, positive when open.
        total_slip: returns (m, 2) tangential displacements since the undeformed state of rows (m,); it is
            called for the closed pairs alone. For an array, pass its ``__getitem__``.
        history: (n, h) committed history; see `CLOSURE_SIZE` for the layout.
        time_step: time since the committed state; 0 to evaluate the committed state itself.
        size: √ of the joint's area, a length compared with which a penetration may be round-off; see `joint_size`.
        derivatives: whether to compute d_slip and d_gap.
        limits: (n,) sticking limits instead of those of the pressures. With these, friction acts also at open pairs,
            and not where a limit is negative, so that all forces have a convex potential.
    """
    closing_gap = contact_law.closing_gap()
    closes = gap < closing_gap
    pairs = np.flatnonzero(closes if limits is None or friction_law is None else closes | (limits >= 0.0))
    closed_gap = gap[pairs]
    touching = closed_gap < closing_gap - TOUCH_TOLERANCE * size
    pressure, d_pressure = contact_law.pressure(closed_gap)
    if friction_law is None:
        return PointForces(len(gap), ClosedPairs(pairs, touching, pressure, d_pressure))
    # Slip since closure; a pair that was open closes here.
    old = history.take(pairs, axis=0)
    total = total_slip(pairs)
    closing = old[:, 0] == 0.0
    start = np.where(closing[:, None], total, old[:, 1:CLOSURE_SIZE])
    slip = total - start
    if limits is None:
        limit, d_limit = friction_law.sticking_limit(pressure)
    else:
        limit, d_limit = np.maximum(limits[pairs], 0.0), np.zeros(len(pairs))
    answer = friction_law.traction(slip, limit, old[:, CLOSURE_SIZE:], time_step, derivatives=derivatives)
    d_slip = d_gap = None
    if derivatives:
        assert answer.d_slip is not None and answer.d_limit is not None
        # While a pair is closing its slip stays zero for any total slip.
        d_slip = np.where(closing[:, None, None], 0.0, answer.d_slip)
        d_gap = answer.d_limit * (d_limit * d_pressure)[:, None]
    if limits is not None:
        acts = limits[pairs] >= 0.0
        answer = replace(answer, stress=np.where(acts[:, None], answer.stress, 0.0))
        d_slip = None if d_slip is None else np.where(acts[:, None, None], d_slip, 0.0)
    closed = ClosedPairs(
        pairs,
        touching,
        pressure,
        d_pressure,
        slip,
        start,
        answer.stress,
        answer.history,
        answer.slipping,
        d_slip,
        d_gap,
    )
    return PointForces(len(gap), closed)
