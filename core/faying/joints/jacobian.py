"""The dense Jacobian of a joint, ∂Q/∂q = Σ rowsᵀ block rows over its closed pairs, and its update.

From one evaluation to the next most pairs keep their block: sticking pairs under a linear contact law, and open
ones. So only the changes are added, at a cost in proportion to the number of changed pairs.
"""

import numpy as np

from faying.joints.pointwise import ClosedPairs
from faying.records import record

# Above this ratio of changed to closed pairs a full sum costs less than adding the differences.
_MAX_CHANGED_SHARE = 0.5
# Differences accumulate round-off; after this number of updates the full sum is computed again.
_MAX_UPDATES = 50


def local_blocks(closed: ClosedPairs, weights: np.ndarray) -> np.ndarray:
    """Return (m, k, k) change of the forces (−τ₁, −τ₂, p) times weight with (slip 1, slip 2, gap).

    Without friction k = 1: the gap alone.

    Args:
        closed: results of the laws at the closed pairs, with derivatives.
        weights: (m,) areas of the closed pairs.
    """
    if closed.d_slip is None or closed.d_gap is None:
        return np.asarray(weights * closed.d_pressure)[:, None, None]
    blocks = np.zeros((len(weights), 3, 3))
    blocks[:, :2, :2] = -closed.d_slip
    blocks[:, :2, 2] = -closed.d_gap
    blocks[:, 2, 2] = closed.d_pressure
    blocks *= weights[:, None, None]
    return blocks


@record("joint jacobian", read_only=True)
class JointJacobian:
    """∂Q/∂q of a joint with the blocks of its pairs, from which the next one is updated where few pairs changed.

    Updated or summed again, it is the same up to round-off of the largest entries. A run that is to be resumed with
    bit-identical results therefore stores its last one.

    Attributes:
        matrix: (r, r) ∂Q/∂q; read-only.
        blocks: (n, k, k) of all pairs; zero for open ones.
        updates: number of updates since the last full sum.
    """

    matrix: np.ndarray
    blocks: np.ndarray
    updates: int = 0


def joint_jacobian(
    last: JointJacobian | None,
    normal: np.ndarray,
    tangential: np.ndarray,
    pairs: np.ndarray,
    blocks: np.ndarray,
) -> JointJacobian:
    """Return ∂Q/∂q at the present blocks.

    Args:
        last: an earlier Jacobian of the same rows, to be updated; None for a full sum.
        normal, tangential: (n, r) and (n, 2, r) rows of all pairs.
        pairs: (m,) closed pairs.
        blocks: (m, k, k) their blocks.
    """
    present = np.zeros((len(normal), *blocks.shape[1:]))
    present[pairs] = blocks
    if last is not None and last.updates < _MAX_UPDATES:
        changed = np.flatnonzero((present != last.blocks).any(axis=(1, 2)))
        if len(changed) <= _MAX_CHANGED_SHARE * len(pairs):
            difference = present[changed] - last.blocks[changed]
            matrix = last.matrix + _sum(normal, tangential, changed, difference)
            return JointJacobian(matrix, present, last.updates + 1)
    return JointJacobian(_sum(normal, tangential, pairs, blocks), present)


def _sum(normal: np.ndarray, tangential: np.ndarray, pairs: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    """Return (r, r) Σ rowsᵀ block rows over the pairs (m,) with blocks (m, k, k)."""
    m, k, r = *blocks.shape[:2], normal.shape[1]
    rows = np.empty((m, k, r))
    rows[:, -1] = normal[pairs]
    if k > 1:
        rows[:, :-1] = tangential[pairs]
    result: np.ndarray = rows.reshape(-1, r).T @ (blocks @ rows).reshape(-1, r)
    return result
