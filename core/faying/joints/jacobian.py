"""The dense Jacobian of a joint, ∂Q/∂q = Σ rowsᵀ block rows over its closed pairs, and its update.

From one evaluation to the next most pairs keep their block: sticking pairs under a linear contact law, open
ones anyway. Adding what changed costs as much less as there are fewer pairs.
"""

import numpy as np

from faying.joints.pointwise import ClosedPairs

# Above this share of changed pairs (of the closed ones) a new sum costs less than the differences.
_FEW = 0.5
# Differences leave round-off behind; after so many the sum is taken anew.
_MOST_UPDATES = 50


def local_blocks(closed: ClosedPairs, weights: np.ndarray) -> np.ndarray:
    """Return (m, k, k) change of the forces (−τ₁, −τ₂, p) times weight with (slip 1, slip 2, gap).

    Without friction k = 1: the gap alone.

    Args:
        closed: what the laws say at the closed pairs, with derivatives.
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


class LastJacobian:
    """The Jacobian of a joint's last evaluation and the blocks it is made of; belongs to who evaluates the joint.

    Whatever was evaluated before, the answer is the same up to round-off of the largest entries.
    """

    def __init__(self) -> None:
        self._matrix: np.ndarray | None = None
        self._blocks = np.zeros((0, 0, 0))
        self._updates = 0

    def updated(
        self, normal: np.ndarray, tangential: np.ndarray, pairs: np.ndarray, blocks: np.ndarray
    ) -> np.ndarray:
        """Return (r, r) ∂Q/∂q at the present blocks.

        Args:
            normal, tangential: (n, r) and (n, 2, r) rows of all pairs; the same ones each time.
            pairs: (m,) closed pairs.
            blocks: (m, k, k) their blocks.
        """
        present = np.zeros((len(normal), *blocks.shape[1:]))
        present[pairs] = blocks
        if self._matrix is not None and self._updates < _MOST_UPDATES:
            changed = np.flatnonzero((present != self._blocks).any(axis=(1, 2)))
            if len(changed) <= _FEW * len(pairs):
                difference = present[changed] - self._blocks[changed]
                matrix = self._matrix + _sum(normal, tangential, changed, difference)
                return self._remembered(matrix, present, self._updates + 1)
        return self._remembered(_sum(normal, tangential, pairs, blocks), present, 0)

    def _remembered(self, matrix: np.ndarray, blocks: np.ndarray, updates: int) -> np.ndarray:
        """Return the matrix, which nobody may write into any more."""
        matrix.flags.writeable = False
        self._matrix, self._blocks, self._updates = matrix, blocks, updates
        return matrix


def _sum(normal: np.ndarray, tangential: np.ndarray, pairs: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    """Return (r, r) Σ rowsᵀ block rows over the pairs (m,) with blocks (m, k, k)."""
    m, k, r = *blocks.shape[:2], normal.shape[1]
    rows = np.empty((m, k, r))
    rows[:, -1] = normal[pairs]
    if k > 1:
        rows[:, :-1] = tangential[pairs]
    result: np.ndarray = rows.reshape(-1, r).T @ (blocks @ rows).reshape(-1, r)
    return result
