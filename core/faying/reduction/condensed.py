"""Contact equilibria of a body that is condensed to a few coordinates: many loads, milliseconds each."""

import numpy as np
import scipy.linalg as la

from faying.errors import SolveError

_ENERGY = 1e-24  # of a correction, relative to the largest: the root of it is the relative error
_ITERATIONS = 100


class CondensedContact:
    """A body of unit stiffness whose pairs press on each other with a linear penalty: q = f + Gᵀ λ(g₀ + G q).

    The contact forces λ = k w max(−gap, 0) are piecewise linear, so Newton's method ends exactly once it has
    found the closed pairs, and the search along a correction costs no product with G.

    Args:
        rows: G (n, r) gaps over coordinates q in which the elastic energy is |q|²/2.
        weights: w (n,) areas.
        initial_gaps: g₀ (n,).
        stiffness: k, pressure over penetration.
    """

    def __init__(
        self, rows: np.ndarray, weights: np.ndarray, initial_gaps: np.ndarray, stiffness: float
    ) -> None:
        self.rows, self._initial = np.ascontiguousarray(rows), initial_gaps
        self._springs = stiffness * weights

    def equilibrium(self, load: np.ndarray, start: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return (coordinates (r,), contact forces λ (n,)) under a load.

        Args:
            load: f (r,).
            start: (n,) contact forces near the wanted ones; the body without contact is the start otherwise.

        Raises:
            SolveError: without convergence.
        """
        q = load if start is None else load + self.rows.T @ start
        gaps, largest = self._initial + self.rows @ q, 0.0
        for _ in range(_ITERATIONS):
            # The equilibrium with the pairs that are closed now, and the way there.
            closed = gaps < 0
            aim = self._linear_equilibrium(load, closed)
            step, aim_gaps = aim - q, self._initial + self.rows @ aim
            if np.array_equal(aim_gaps < 0, closed):
                return aim, self._springs * np.maximum(-aim_gaps, 0.0)
            opening, outer = aim_gaps - gaps, float(step @ (load - q))
            rate = outer - float((self._springs[closed] * gaps[closed]) @ opening[closed])
            if not np.isfinite(rate):
                raise SolveError(
                    "A contact equilibrium of the snapshots has no finite correction.",
                    "Look for a body that is hardly held, or lower the contact stiffness of the snapshots.",
                )
            largest = max(largest, rate)
            if rate <= _ENERGY * largest:  # pairs that only touch may change for ever
                return q, self._springs * np.maximum(-gaps, 0.0)
            length = self._length(gaps, opening, outer, float(step @ step))
            q, gaps = q + length * step, gaps + length * opening
        raise SolveError(
            f"A contact equilibrium of the snapshots was not found in {_ITERATIONS} iterations.",
            "Lower the contact stiffness of the snapshots, or use the trial vector derivatives.",
        )

    def _linear_equilibrium(self, load: np.ndarray, closed: np.ndarray) -> np.ndarray:
        """Return q of f + Gᵀ λ = q with springs in the closed pairs; over pairs or coordinates, the fewer."""
        rows, springs = self.rows[closed], self._springs[closed]
        if len(springs) < rows.shape[1]:
            compliance = rows @ rows.T
            compliance[np.diag_indices_from(compliance)] += 1.0 / springs
            forces = la.solve(compliance, -(self._initial[closed] + rows @ load), assume_a="pos")
            return np.asarray(load + rows.T @ forces)
        tangent = rows.T @ (springs[:, None] * rows)
        tangent[np.diag_indices_from(tangent)] += 1.0
        right = load - rows.T @ (springs * self._initial[closed])
        return np.asarray(la.solve(tangent, right, assume_a="pos"))

    def _length(self, gaps: np.ndarray, opening: np.ndarray, outer: float, square: float) -> float:
        """Return the s at which the energy along gaps + s · opening is least: a root of a falling broken line."""
        low, high, s = 0.0, np.inf, 1.0
        for _ in range(40):
            along = gaps + s * opening
            closed = along < 0
            stiff = self._springs[closed] * opening[closed]
            rate = outer - s * square - float(stiff @ along[closed])
            slope = square + float(stiff @ opening[closed])
            if abs(rate) <= 1e-12 * abs(outer) or high - low <= 1e-12 * s:
                break
            if rate > 0:
                low = s
            else:
                high = s
            following = s + rate / slope
            if not low < following < high:
                if high == np.inf:
                    break  # the root, but for round-off
                following = 0.5 * (low + high)
            s = following
        return s
