"""Elimination of many constraint rows of few entries each: one dof per row follows from the others.

x = T y + x_c, with C x_c = c and C T = 0, turns the saddle point [[K, Cᵀ], [C, 0]] into Tᵀ K T y = Tᵀ (f − K x_c),
which is definite where K is on the constraints' null space (null-space method: Benzi, Golub and Liesen 2005,
section 6). A row fills a dense block over the dofs that it couples, so rows with many entries are better a border
(`faying.linalg.bordered`).
"""

import threading

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla
from scipy.sparse.csgraph import connected_components

from faying.linalg.backends import FactorBackend, Interrupted
from faying.linalg.bordered import dofs_held_by
from faying.linalg.sparse_factor import ScaledSystem

_MAX_FILL = 4.0  # times the entries of K


def fills_little(system: ScaledSystem) -> bool:
    """Return whether elimination of the constraints fills less than four times the entries of the matrix.

    Rows that share dofs fill a square block over them. Measured: 432 rows of 75 entries on 73 000 dofs take 0.4 times
    the processor time of the saddle point matrix, and half its entries.
    """
    _, rows = system.stiffness_and_constraints()
    _, groups = connected_components(rows @ rows.T, directed=False)
    shared = np.bincount(groups)[groups]
    filled = float((np.diff(rows.indptr).astype(float) ** 2 / shared).sum())
    return filled < _MAX_FILL * system.matrix.nnz


class EliminatedSolver:
    """Factor of a scaled system with constraints, used in place of a `FactorBackend` of the whole matrix.

    Args:
        kind: sparse solver for the reduced matrix Tᵀ K T.
        system: with constraints.
        definite: whether K must be positive definite on the constraints' null space.
        stop: set from another thread when the result is no longer wanted.

    Attributes:
        negative_pivots, entries: as in `FactorBackend`.

    Raises:
        ZeroPivotError: when rows depend on each other.
        NotDefiniteError, Interrupted, RuntimeError: as in `FactorBackend`.
    """

    negative_pivots: int | None

    def __init__(
        self, kind: type[FactorBackend], system: ScaledSystem, definite: bool, stop: threading.Event
    ) -> None:
        n, m = system.n, system.m
        self._stiffness, rows = system.stiffness_and_constraints()
        self._held = dofs_held_by(rows, self._stiffness.diagonal())
        self._others = np.setdiff1d(np.arange(n), self._held)
        # Eliminated dofs d from the others o: C_d x_d = c − C_o x_o; C_d has a block for rows that share dofs.
        own = rows[:, self._held].tocsc()
        self._own, self._own_transposed = spla.splu(own), spla.splu(own.T.tocsc())
        others = rows[:, self._others]
        used = np.flatnonzero(np.diff(others.tocsc().indptr))
        follow = sp.csr_matrix(spla.spsolve(own, others.tocsc()[:, used]))
        if stop.is_set():
            raise Interrupted
        spread = sp.csr_matrix(
            (np.ones(len(used)), (np.arange(len(used)), used)), shape=(len(used), len(self._others))
        )
        places = np.empty(n, np.int64)
        places[self._others], places[self._held] = np.arange(n - m), np.arange(n - m, n)
        self._motion = sp.csr_matrix(sp.csr_matrix(sp.vstack([sp.eye(n - m), -(follow @ spread)]))[places])
        reduced = (self._motion.T @ self._stiffness @ self._motion).tocsc()
        reduced = sp.csc_matrix(0.5 * (reduced + reduced.T))
        reduced.sort_indices()
        self._inner = kind(reduced, definite, stop)
        inner = self._inner.negative_pivots
        self.negative_pivots = None if inner is None else inner + m
        self.entries = self._inner.entries

    def solve(self, right_hand_sides: np.ndarray) -> np.ndarray:
        """Return (n + m, k) solutions."""
        n = self._stiffness.shape[0]
        loads, values = right_hand_sides[:n], np.asfortranarray(right_hand_sides[n:])
        fixed = np.zeros_like(loads)
        fixed[self._held] = self._own.solve(values)
        left = self._motion.T @ (loads - self._stiffness @ fixed)
        motion = self._motion @ np.asarray(self._inner.solve(np.asfortranarray(left))) + fixed
        # Multipliers from the equations of the eliminated dofs: C_dᵀ λ = f_d − (K x)_d.
        rest = (loads - self._stiffness @ motion)[self._held]
        multipliers = self._own_transposed.solve(np.asfortranarray(rest))
        return np.asfortranarray(np.vstack([motion, multipliers]))
