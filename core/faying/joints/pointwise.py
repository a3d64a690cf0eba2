"""What the laws say at each contact pair: pressure, friction stress, history, status. No rows, no assembly."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw

# History per pair with friction: closed flag, total slip at closure s₁*, s₂* (thesis eq. 3.80), the law's own.
CLOSURE_SIZE = 3


class ContactStatus(IntEnum):
    """State of a contact pair (thesis section 2.4.1). A closed pair without friction slips."""

    GAPING = 0
    STICKING = 1
    SLIPPING = 2


@dataclass(frozen=True, eq=False)
class PointForces:
    """Answer of the laws at n pairs, m of them closed.

    Attributes:
        pressure: (n,) p ≥ 0, zero where open.
        slip: (n, 2) slip since contact closed; zero where open, and without friction.
        stress: (n, 2) friction stress τ, whose virtual work is −τ · δs; zero where open.
        history: (n, h) new history; zero where open.
        status: (n,) values of `ContactStatus`.
        closed: (m,) rows of the closed pairs, ascending.
        d_pressure: (m,) ∂p/∂gap of the closed pairs.
        d_slip: (m, 2, 2) ∂τ/∂(total slip) of the closed pairs; None without friction or
            when not asked for.
        d_gap: (m, 2) ∂τ/∂gap of the closed pairs, by way of the sticking limit; None likewise.
    """

    pressure: np.ndarray
    slip: np.ndarray
    stress: np.ndarray
    history: np.ndarray
    status: np.ndarray
    closed: np.ndarray
    d_pressure: np.ndarray
    d_slip: np.ndarray | None
    d_gap: np.ndarray | None


def history_size(friction_law: FrictionLaw | None) -> int:
    """Return how many history variables a contact pair has; none without friction."""
    return CLOSURE_SIZE + friction_law.history_size if friction_law is not None else 0


def pointwise(
    contact_law: ContactLaw,
    friction_law: FrictionLaw | None,
    gap: np.ndarray,
    total_slip: Callable[[np.ndarray], np.ndarray],
    history: np.ndarray,
    time_step: float,
    *,
    derivatives: bool = True,
) -> PointForces:
    """Return pressures, friction stresses and new history of all pairs; a pure function.

    A pair that is open forgets its history. When it closes, slip counts from there: s* is its total slip
    in this evaluation (thesis eq. 3.80), so that slip and stress are zero and move along with s* until the
    state is committed.

    Args:
        contact_law, friction_law: the joint's laws; friction may be absent.
        gap: (n,) gaps, positive when open.
        total_slip: returns (m, 2) tangential displacements since the undeformed state of rows (m,); it is
            asked for the closed pairs alone. For an array, pass its ``__getitem__``.
        history: (n, h) committed history; see `CLOSURE_SIZE` for the layout.
        time_step: time since the committed state; 0 for a statement about the committed state itself.
        derivatives: whether d_slip and d_gap are wanted.
    """
    n = len(gap)
    pressure, d_pressure = contact_law.pressure(gap)
    closed = np.flatnonzero(gap < contact_law.closing_gap())
    status = np.zeros(n, np.int8)
    slip, stress = np.zeros((n, 2)), np.zeros((n, 2))
    if friction_law is None:
        status[closed] = ContactStatus.SLIPPING
        return PointForces(
            pressure, slip, stress, np.zeros((n, 0)), status, closed, d_pressure[closed], None, None
        )
    # Slip since closure; a pair that was open closes here.
    old = history.take(closed, axis=0)
    total = total_slip(closed)
    closing = old[:, 0] == 0.0
    start = np.where(closing[:, None], total, old[:, 1:CLOSURE_SIZE])
    slip_closed = total - start
    limit, d_limit = friction_law.sticking_limit(pressure[closed])
    answer = friction_law.traction(
        slip_closed, limit, old[:, CLOSURE_SIZE:], time_step, derivatives=derivatives
    )
    # New history of the closed pairs; the open ones start afresh.
    new = np.zeros((n, history_size(friction_law)))
    new[closed] = np.column_stack([np.ones(len(closed)), start, answer.history])
    slip[closed], stress[closed] = slip_closed, answer.stress
    status[closed] = np.where(answer.slipping, ContactStatus.SLIPPING, ContactStatus.STICKING)
    d_slip = d_gap = None
    if derivatives:
        assert answer.d_slip is not None and answer.d_limit is not None
        # While a pair is closing its slip stays zero whatever the total slip is.
        d_slip = np.where(closing[:, None, None], 0.0, answer.d_slip)
        d_gap = answer.d_limit * (d_limit * d_pressure[closed])[:, None]
    return PointForces(pressure, slip, stress, new, status, closed, d_pressure[closed], d_slip, d_gap)
