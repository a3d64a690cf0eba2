"""First guess for statics with friction: all pairs that touch at the start are stuck.

A part that only contact and friction hold would fly off in the first correction of Newton's method, where there is no
pressure yet.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import SolveError
from faying.joints.pointwise import touches
from faying.linalg.factor import SingularSystemError, factorize
from faying.linalg.symmetric import is_sparse
from faying.progress import Progress
from faying.solvers.equilibrium import require_numbers
from faying.solvers.hard_contact import AnyJointForce

_DEPTH = 1e-4  # penetration over a pair's size, at which the stiffness of the contact law is taken


def stuck_start(
    stiffness: Any,
    load: np.ndarray,
    joints: Sequence[AnyJointForce],
    progress: Progress,
    constraints: Any = None,
    values: np.ndarray | None = None,
) -> np.ndarray | None:
    """Return (n,) coordinates under a load with all pairs stuck that touch at the start; None if that is singular.

    Args:
        stiffness: K, dense (n, n) or CSR.
        load: (n,).
        joints: joint forces over the same coordinates.
        progress: reports and cancels.
        constraints: C (m, n), CSR for a sparse stiffness, dense for a dense one.
        values: d (m,) of C x = d; zero without them.

    Raises:
        SolveError: for a load that is not finite.
    """
    require_numbers(load)
    held: Any = stiffness
    for joint in joints:
        held = held + _springs(joint, stiffness.shape[0])
    try:
        if is_sparse(stiffness):
            return np.asarray(factorize(held, constraints, progress=progress).solve(load, values))
        if constraints is None:
            return np.asarray(la.solve(held, load, assume_a="pos"))
        first = np.linalg.lstsq(
            constraints, np.zeros(len(constraints)) if values is None else values, rcond=None
        )[0]
        within = la.qr(constraints.T)[0][:, len(constraints) :]
        rest = la.solve(within.T @ held @ within, within.T @ (load - held @ first), assume_a="pos")
        return np.asarray(first + within @ rest)
    except (SingularSystemError, SolveError, la.LinAlgError):
        return None


def _springs(joint: AnyJointForce, n: int) -> Any:
    """Return the stiffness of a joint whose touching pairs stick, dense or sparse like its rows."""
    rows: Any = joint.rows
    law, friction = joint.contact_law, joint.friction_law
    at = np.flatnonzero(touches(law, joint.gaps(np.zeros(n)), rows.weights))
    weights = rows.weights[at]
    if not len(at):
        return 0.0 * (rows.normal.T @ rows.normal)
    depth = _DEPTH * np.sqrt(np.median(rows.weights))
    normal = -float(law.pressure(np.array([law.closing_gap() - depth]))[1][0])
    found = _weighted(rows.normal[at], normal * weights)
    if friction is None:
        return found
    limit = np.array([1e6 * normal * depth])
    rest = friction.traction(np.zeros((1, 2)), limit, np.zeros((1, friction.history_size)), 0.0)
    assert rest.d_slip is not None
    tangential: Any = rows.tangential
    if is_sparse(tangential):
        chosen = tangential[np.column_stack([2 * at, 2 * at + 1]).ravel()]
    else:
        chosen = tangential[at].reshape(2 * len(at), n)
    return found + _weighted(chosen, float(rest.d_slip[0, 0, 0]) * np.repeat(weights, 2))


def _weighted(rows: Any, weights: np.ndarray) -> Any:
    scaled: Any = sp.diags(weights) @ rows if is_sparse(rows) else weights[:, None] * rows
    return rows.T @ scaled
