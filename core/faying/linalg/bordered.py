"""Systems with a few constraint rows, solved as a bordered system whose inner matrix stays definite.

The saddle point matrix [[K, Cᵀ], [C, 0]] is indefinite, so Cholesky cannot factor it, and its dense rows make pivoting
expensive. If one suitably chosen dof per constraint row is held, the rest of K is definite. These dofs and the
multipliers form the border; its Schur complement is small and dense (block elimination of bordered systems: Golub and
Van Loan 2013, section 3.2; Benzi, Golub and Liesen 2005, section 5).
"""

import threading

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from faying.linalg.backends import FactorBackend, Interrupted, ZeroPivotError
from faying.linalg.sparse_factor import BLOCK, ScaledSystem

MOST_ROWS = 300  # most constraints: with more, the border's columns take more memory than the factor
_DEPENDENT = 1e-10
_SWEEPS = 8
_MASSLESS_FIRST = 1e6  # weight of dofs without stiffness in the choice of the held dofs


class BorderedSolver:
    """Factor of a scaled system with constraints, used in place of a `FactorBackend` of the whole matrix.

    Args:
        kind: sparse solver for the inner matrix, K without the held dofs.
        system: with constraints, `MOST_ROWS` at most.
        definite: whether K must be positive definite on the constraints' null space.
        stop: set from another thread when the result is no longer wanted.

    Attributes:
        negative_pivots, entries: as in `FactorBackend`.

    Raises:
        ZeroPivotError: when rows depend on each other, or the body can still move with the border held.
        NotDefiniteError, Interrupted, RuntimeError: as in `FactorBackend`.
    """

    negative_pivots: int | None

    def __init__(
        self, kind: type[FactorBackend], system: ScaledSystem, definite: bool, stop: threading.Event
    ) -> None:
        n, m = system.n, system.m
        _, rows = system.stiffness_and_constraints()
        held = dofs_held_by(rows, system.matrix.diagonal()[:n])
        self._inside = np.setdiff1d(np.arange(n), held)
        self._border = np.concatenate([held, n + np.arange(m)])
        self._inner = kind(_principal(system.matrix, self._inside), definite, stop)
        if stop.is_set():
            raise Interrupted
        across = system.matrix[:, self._border].tocsr()
        self._across = across[self._inside]
        columns = [
            self._inner.solve(self._across[:, at : at + BLOCK].toarray()) for at in range(0, 2 * m, BLOCK)
        ]
        self._answers = np.hstack(columns)
        schur = across[self._border].toarray() - self._across.T @ self._answers
        self._scale = _equilibrating(schur)
        schur = 0.5 * self._scale[:, None] * (schur + schur.T) * self._scale
        values = la.eigvalsh(schur)
        if not np.abs(values).min() > np.finfo(float).eps * np.abs(values).max():
            raise ZeroPivotError("the constraints do not hold what they should")
        self._schur = la.lu_factor(schur)
        # Inertia is additive: that of the inner matrix and that of its Schur complement (Haynsworth 1968).
        inner = self._inner.negative_pivots
        self.negative_pivots = None if inner is None else inner + int((values < 0.0).sum())
        self.entries = self._inner.entries + self._answers.size

    def solve(self, right_hand_sides: np.ndarray) -> np.ndarray:
        """Return (n + m, k) solutions."""
        inside = np.asarray(self._inner.solve(np.asfortranarray(right_hand_sides[self._inside])))
        border = right_hand_sides[self._border] - self._across.T @ inside
        border = self._scale[:, None] * la.lu_solve(self._schur, self._scale[:, None] * border)
        out = np.empty_like(right_hand_sides, order="F")
        out[self._inside] = inside - self._answers @ border
        out[self._border] = border
        return out


def dofs_held_by(rows: sp.csr_matrix, stiffness: np.ndarray) -> np.ndarray:
    """Return (m,) dofs, ascending, one per constraint row: their columns of the rows (m, n) are well conditioned.

    They come from a pivoted QR factorisation. Dofs without stiffness are preferred: they would be zero pivots of the
    inner matrix.

    Raises:
        ZeroPivotError: when rows depend on each other.
    """
    _, groups = connected_components(rows @ rows.T, directed=False)
    found = [np.zeros(0, np.int64)]
    for group in range(int(groups.max(initial=-1)) + 1):
        own = rows[groups == group].tocsc()
        used = np.flatnonzero(np.diff(own.indptr))
        dense = own[:, used].toarray()
        weights = np.where(stiffness[used] == 0.0, _MASSLESS_FIRST, 1.0)
        _, triangle, order = la.qr(dense * weights, mode="economic", pivoting=True)
        sizes = np.abs(np.diag(triangle)) / weights[order[: len(dense)]]
        if len(sizes) < len(dense) or not sizes.min() > _DEPENDENT * sizes.max():
            raise ZeroPivotError("constraints depend on each other")
        found.append(used[order[: len(dense)]])
    return np.sort(np.concatenate(found))


def _equilibrating(matrix: np.ndarray) -> np.ndarray:
    """Return (r,) a scale S for which the largest entry in each row of S A S is about one (Ruiz 2001).

    Displacements and multipliers differ by many powers of ten.
    """
    scale = np.ones(len(matrix))
    for _ in range(_SWEEPS):
        largest = np.abs(scale[:, None] * matrix * scale).max(axis=1)
        scale /= np.sqrt(np.where(largest > 0.0, largest, 1.0))
    return scale


def _principal(matrix: sp.csc_matrix, kept: np.ndarray) -> sp.csc_matrix:
    chosen = matrix[:, kept].tocsr()[kept].tocsc()
    chosen.sort_indices()
    return sp.csc_matrix(chosen)
