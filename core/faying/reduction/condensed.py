"""Contact equilibria of a body condensed to a few coordinates, for many loads, in milliseconds each."""

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import scipy.linalg as la

from faying.errors import SolveError
from faying.linalg.threads import one_thread, physical_cores
from faying.parallel import run_parallel
from faying.progress import Progress

_ENERGY = 1e-24  # of a correction, relative to the largest: the root of it is the relative error
_ITERATIONS = 200
_BLOCKS = 16  # of loads, at most: each process gets several, so that none waits long for another
_WORTH = 3e8  # entries of the gap rows times loads beyond which more processes save time despite their start


class CondensedContact:
    """A body of unit stiffness whose pairs press on each other with a linear penalty: q = f + Gᵀ λ(g₀ + G q).

    The contact forces λ = k w max(−gap, 0) are piecewise linear, so Newton's method is exact as soon as it has the
    right set of closed pairs, and the line search along a correction needs no product with G.

    Args:
        rows: G (n, r) gaps over coordinates q in which the elastic energy is |q|²/2.
        springs: k w (n,) force over penetration of each pair.
        initial_gaps: g₀ (n,).
    """

    def __init__(self, rows: np.ndarray, springs: np.ndarray, initial_gaps: np.ndarray) -> None:
        self.rows, self._springs, self._initial = np.ascontiguousarray(rows), springs, initial_gaps
        # The same of springs with unit stiffness: rows and gaps times the roots of their stiffness.
        roots = np.sqrt(springs)
        self._unit_rows, self._unit_initial = roots[:, None] * self.rows, roots * initial_gaps

    def equilibrium(
        self, load: np.ndarray, closed: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (coordinates (r,), contact forces λ (n,)) under a load.

        Args:
            load: f (r,).
            closed: (n,) pairs that are closed in a state near the solution, as a start; without it the start is the
                body without contact.

        Raises:
            SolveError: without convergence.
        """
        q = load if closed is None else self._linear_equilibrium(load, closed)
        gaps, largest = self._initial + self.rows @ q, 0.0
        for _ in range(_ITERATIONS):
            # The equilibrium with the currently closed pairs, and the step to it.
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
                    "Look for a body that is weakly held, or lower the contact stiffness of the snapshots.",
                )
            largest = max(largest, rate)
            if rate <= _ENERGY * largest:  # pairs that just touch may switch for ever
                return q, self._springs * np.maximum(-gaps, 0.0)
            length = self._length(gaps, opening, outer, float(step @ step))
            q, gaps = q + length * step, gaps + length * opening
        raise SolveError(
            f"A contact equilibrium of the snapshots was not found in {_ITERATIONS} iterations.",
            "Lower the contact stiffness of the snapshots, or use the trial vector derivatives.",
        )

    def equilibria(
        self, loads: np.ndarray, closed: np.ndarray, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (coordinates (r, N), contact forces (n, N)) under many loads.

        Many loads are computed in parallel blocks, on a cluster always; results do not depend on it.

        Args:
            loads: (r, N).
            closed: (n, N) pairs that are closed in states near the solutions.
            progress: reports and cancels.

        Raises:
            SolveError: without convergence.
        """
        number = loads.shape[1]
        if not number:
            return np.empty_like(loads), np.empty((len(self.rows), 0))
        pieces = np.array_split(np.arange(number), max(1, min(number, _BLOCKS)))
        blocks = [(loads[:, piece], closed[:, piece]) for piece in pieces]
        worth = self.rows.size * number > _WORTH
        cores = physical_cores()
        q, forces = np.empty_like(loads), np.empty((len(self.rows), number))
        run = run_parallel(_equilibria, self, blocks, cores if worth else 1, progress, cores)
        with closing(run) as found:
            for block, (own, pressing) in found:
                q[:, pieces[block]], forces[:, pieces[block]] = own, pressing
        return q, forces

    def _linear_equilibrium(self, load: np.ndarray, closed: np.ndarray) -> np.ndarray:
        """Return q (r,) of q = f + Gᵀ λ with springs, also in tension, in the `closed` pairs (n,).

        The equations are scaled to a unit diagonal: gaps of a motion that the body barely resists may be a million
        times larger than those of others.
        """
        rows = self._unit_rows[closed]
        tangent = rows.T @ rows  # half the work of a product of two matrices
        tangent.flat[:: len(tangent) + 1] += 1.0
        right = load - rows.T @ self._unit_initial[closed]
        scale = 1.0 / np.sqrt(np.diag(tangent))
        tangent *= scale[:, None]
        tangent *= scale
        factor = la.cho_factor(tangent, overwrite_a=True, check_finite=False)
        return np.asarray(scale * la.cho_solve(factor, scale * right, check_finite=False))

    def _length(self, gaps: np.ndarray, opening: np.ndarray, outer: float, square: float) -> float:
        """Return the step length s of least energy along gaps + s · opening: root of a piecewise linear slope."""
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


def _equilibria(
    contact: CondensedContact, block: tuple[np.ndarray, np.ndarray], progress: Progress
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield once coordinates and contact forces of a block of loads."""
    loads, closed = block
    found = []
    with one_thread():
        for i in range(loads.shape[1]):
            progress.report(i / loads.shape[1], f"{i} of {loads.shape[1]}")
            found.append(contact.equilibrium(loads[:, i], closed[:, i]))
    yield np.column_stack([q for q, _ in found]), np.column_stack([forces for _, forces in found])
