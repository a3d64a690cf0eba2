"""First guess for statics with friction: all pairs that touch at the start are stuck.

A part that only contact and friction hold would fly off in the first correction of Newton's method, where there is no
pressure yet.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.linalg as la

from faying.errors import SolveError
from faying.joints.linearized import touching_springs
from faying.linalg.factor import SingularSystemError, factorize
from faying.linalg.symmetric import is_sparse
from faying.progress import Progress
from faying.solvers.equilibrium import require_numbers
from faying.solvers.hard_contact import AnyJointForce


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
        rows: Any = joint.rows
        gaps = joint.gaps(np.zeros(len(load)))
        springs = touching_springs(joint.contact_law, joint.friction_law, gaps, rows.weights, "stuck")
        held = held + (springs.over_dofs(rows) if is_sparse(stiffness) else springs.over(rows))
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
