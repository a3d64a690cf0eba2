"""The fictive contact forces of trial vector derivatives, computed block by block when needed."""

from collections.abc import Iterator, Sequence

import numpy as np
import scipy.sparse as sp

_NOISE = 1e-12  # forces smaller than this share of the largest are round-off
_STILL = 1e-7  # gaps below this share of the displacements whose difference they are count as zero
_COLUMNS = 256  # columns per block: the effort of a decomposition per column grows with their number


def gaps_of(gap_rows: sp.csr_matrix, modes: np.ndarray) -> np.ndarray:
    """Return (n_pairs, m) gaps of trial vectors; exactly zero where they do not move the surfaces apart.

    A symmetric body has trial vectors that move both faying surfaces equally, over the whole joint or along a line of
    symmetry. Their gaps there are round-off, which must not close any pair.

    Args:
        gap_rows: (n_pairs, n_dofs) of all joints, stacked.
        modes: (n_dofs, m).
    """
    gaps = np.asarray(gap_rows @ modes)
    moved = np.asarray(abs(gap_rows) @ np.abs(modes))
    gaps[np.abs(gaps) <= _STILL * moved.max(axis=0, initial=0.0)] = 0.0
    return gaps


class FictiveForces:
    """λ = w · [pairs closed by ±φ_j] · (G φ_i) for all chosen i, j and both signs (thesis eqs. 3.39 to 3.44).

    With initial gaps each direction is scaled so that its largest approach is a multiple of the largest initial gap;
    larger multiples close more pairs. One that closes the same pairs as a smaller one gives the same forces and is
    skipped. Without initial gaps the scale does not matter.

    Args:
        gaps: (n_pairs, m) gap of each pair per trial vector.
        weights: (n_pairs,) areas times relative contact stiffness.
        initial_gaps: (n_pairs,).
        wanted: (m, m) whether trial vector i is combined with direction j.
        amplitudes: multiples of the largest initial gap.

    Attributes:
        labels: (N, 3) trial vector i, direction j, sign ±1 of each force that is not zero.
        norms: (N,) their lengths.
        dropped: number of forces that were zero or round-off.
    """

    def __init__(
        self,
        gaps: np.ndarray,
        weights: np.ndarray,
        initial_gaps: np.ndarray,
        wanted: np.ndarray,
        amplitudes: Sequence[float],
    ) -> None:
        self._weighted = weights[:, None] * gaps
        open_by = float(initial_gaps.max(initial=0.0))
        reach = np.abs(gaps).max(axis=0, initial=0.0)
        scales = (
            [amplitude * open_by / np.where(reach > 0, reach, 1.0) for amplitude in sorted(set(amplitudes))]
            if open_by > 0
            else [np.ones(gaps.shape[1])]
        )
        masks: list[np.ndarray] = []
        directions: list[tuple[int, int]] = []
        for j in np.flatnonzero(wanted.any(axis=0)).tolist():
            for sign in (1, -1):
                before = None
                for scale in scales:
                    closed = initial_gaps + sign * scale[j] * gaps[:, j] < 0
                    if before is None or not np.array_equal(closed, before):
                        masks.append(closed)
                        directions.append((j, sign))
                    before = closed
        self._closed = np.array(masks, dtype=bool).reshape(-1, len(weights)).T
        of_direction = np.array(directions, dtype=np.int64).reshape(-1, 2)

        norms = np.sqrt(self._closed.T.astype(float) @ self._weighted**2)
        taken = wanted[:, of_direction[:, 0]].T
        kept = taken & (norms > _NOISE * norms.max(where=taken, initial=0.0))
        self._direction, self._vector = np.nonzero(kept)
        self.labels = np.column_stack([self._vector, of_direction[self._direction]])
        self.norms = norms[kept]
        self.dropped = int((taken & ~kept).sum())

    def blocks(self) -> Iterator[np.ndarray]:
        """Yield (n_pairs, b) forces, in the order of the labels."""
        for start in range(0, len(self.norms), _COLUMNS):
            part = slice(start, start + _COLUMNS)
            yield self._weighted[:, self._vector[part]] * self._closed[:, self._direction[part]]

    def directions(self) -> Iterator[np.ndarray]:
        """Yield (n_pairs, b) forces of length one."""
        start = 0
        for block in self.blocks():
            yield block / self.norms[start : start + block.shape[1]]
            start += block.shape[1]
