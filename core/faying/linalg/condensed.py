"""Dofs without stiffness that a single constraint row defines: eliminated before the system is factored.

The free reference node of a distributing coupling has six such dofs, held only by their constraint rows. Their zero
columns would be zero pivots; their elimination causes no fill.
"""

import numpy as np
import scipy.sparse as sp

from faying.linalg.factor_protocol import Factor


class DefinedDofs:
    """Pairs of a dof without stiffness and the one constraint row in which it occurs.

    Attributes:
        dofs, rows: (p,) the pairs.
        other_dofs, other_rows: all dofs and constraint rows that remain.
    """

    def __init__(self, stiffness: sp.csr_matrix, constraints: sp.csr_matrix) -> None:
        entries = sp.csc_matrix(constraints)
        entries.eliminate_zeros()
        without_stiffness = np.asarray(abs(stiffness).sum(axis=0)).ravel() == 0.0
        candidates = np.flatnonzero(without_stiffness & (np.diff(entries.indptr) == 1))
        rows = entries.indices[entries.indptr[candidates]]
        sizes = np.abs(entries.data[entries.indptr[candidates]])
        # One dof per row, the one with the largest coefficient.
        order = np.lexsort((-sizes, rows))
        first = order[np.concatenate([[True], rows[order][1:] != rows[order][:-1]])] if len(order) else order
        self.dofs, self.rows = candidates[first].astype(np.int64), rows[first].astype(np.int64)
        self.other_dofs = np.setdiff1d(np.arange(stiffness.shape[0]), self.dofs)
        self.other_rows = np.setdiff1d(np.arange(constraints.shape[0]), self.rows)
        csr = constraints.tocsr()
        self._own = np.asarray(csr[self.rows, self.dofs]).ravel()
        self._on_others = csr[self.rows][:, self.other_dofs]

    def motion(self, others: np.ndarray, values: np.ndarray | None = None) -> np.ndarray:
        """Return (n, k) motions of all dofs from those of the others (n_others, k), for C x = values (m, k) or 0."""
        full = np.zeros((len(self.dofs) + len(self.other_dofs), others.shape[1]))
        full[self.other_dofs] = others
        wanted = 0.0 if values is None else values[self.rows]
        full[self.dofs] = (wanted - self._on_others @ others) / self._own[:, None]
        return full

    def multipliers(self, loads: np.ndarray) -> np.ndarray:
        """Return (p, k) multipliers of the pairs' rows: loads (n, k) on the defined dofs over their coefficients."""
        balanced: np.ndarray = loads[self.dofs] / self._own[:, None]
        return balanced

    def passed_on(self, loads: np.ndarray) -> np.ndarray:
        """Return (n_others, k) loads on the other dofs: their own minus Cᵀλ of the pairs' rows."""
        remaining: np.ndarray = loads[self.other_dofs] - self._on_others.T @ self.multipliers(loads)
        return remaining


class CondensedFactor:
    """The factor of a system whose defined dofs have been eliminated."""

    def __init__(self, inner: Factor, defined: DefinedDofs) -> None:
        self._inner, self._defined = inner, defined
        self.backend, self.entries = inner.backend, inner.entries
        self.n = len(defined.dofs) + len(defined.other_dofs)

    def solve(self, loads: np.ndarray, values: np.ndarray | None = None) -> np.ndarray:
        """Return x (n, …) for K x + Cᵀλ = loads (n, …), C x = values (m, …); zeros without values."""
        return self.solve_with_multipliers(loads, values)[0]

    def solve_with_multipliers(
        self, loads: np.ndarray, values: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the same x (n, …), and the multipliers λ (m, …) of the constraints."""
        defined, columns = self._defined, loads.reshape(self.n, -1)
        wanted = None if values is None else values.reshape(len(values), -1)
        inner_values = None if wanted is None else wanted[defined.other_rows]
        others, inner_multipliers = self._inner.solve_with_multipliers(
            defined.passed_on(columns), inner_values
        )
        motion = defined.motion(others, wanted)
        multipliers = np.zeros((len(defined.rows) + len(defined.other_rows), columns.shape[1]))
        multipliers[defined.rows] = defined.multipliers(columns)
        multipliers[defined.other_rows] = inner_multipliers
        if loads.ndim == 1:
            return motion[:, 0], multipliers[:, 0]
        return motion, multipliers
