"""Dense systems (I − T W) δ = f of contact pairs that differ little from one to the next: one factor serves many."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
import scipy.sparse.linalg as spla

# Of a solution, relative to itself. On the friction bar Newton's method takes as many steps as with a factor for each;
# with 1e-3 it takes four times as many.
_ACCURACY = 1e-4
_PATIENCE = 12  # iterations of GMRES, which take about as long as half a factor of some hundred unknowns


@dataclass(frozen=True, eq=False)
class Differing:
    """Components of pairs, slips and gaps, whose forces differ from those of a reference.

    Attributes:
        pairs: (m,) their pairs, ascending.
        components: (c,) their numbers among those of all pairs, ascending.
        places: (c,) where they are among the 3 m components of their pairs.
        compliance: (c, 3 m) Wᵀ.
    """

    pairs: np.ndarray
    components: np.ndarray
    places: np.ndarray
    compliance: np.ndarray


class KeptFactor:
    """Solves (I − T W) δ = f, with T (m, 3, 3) the difference of the pairs' tangents from those of the reference.

    The first system is factored. Later ones are solved by GMRES with that factor as preconditioner, as long as few
    iterations do: a pair that opened or began to slide moves three eigenvalues away from one. Components that the
    factor does not have, and rows of T without entries, are rows of the identity.

    Attributes:
        factorisations: number of factors that were made.
    """

    def __init__(self) -> None:
        self._components = np.zeros(0, np.int64)
        self._factor: tuple[np.ndarray, np.ndarray] | None = None
        self.factorisations = 0

    def solve(
        self, of: Differing, tangents: np.ndarray, right: np.ndarray, rows: np.ndarray, *, exact: bool
    ) -> np.ndarray:
        """Return δ (c,).

        Args:
            of: the components.
            tangents: T (m, 3, 3).
            right: f (c,).
            rows: (m, 3) which rows of T have entries.
            exact: whether it is factored in any case.
        """
        # δ = f + ε, and ε acts where T has a row with entries.
        pushed = _pushed(of, tangents, right)
        near = (
            None if exact or self._factor is None else self._from_factor(self._factor, of, tangents, pushed)
        )
        return np.asarray(right + (self._factored(of, tangents, pushed, rows) if near is None else near))

    def _from_factor(
        self, factor: tuple[np.ndarray, np.ndarray], of: Differing, tangents: np.ndarray, pushed: np.ndarray
    ) -> np.ndarray | None:
        """Return ε by GMRES on the preconditioned system, None when that does not converge soon."""
        _, here, there = np.intersect1d(of.components, self._components, True, True)
        padded = np.zeros(len(self._components))

        def preconditioned(x: np.ndarray) -> np.ndarray:
            padded[there] = x[here]
            found = x.copy()
            found[here] = la.lu_solve(factor, padded, check_finite=False)[there]
            return found

        def apply(x: np.ndarray) -> np.ndarray:
            return preconditioned(x - _pushed(of, tangents, x))

        n, start = len(pushed), preconditioned(pushed)
        operator = spla.LinearOperator((n, n), matvec=apply, dtype=np.float64)
        found, failure = spla.gmres(operator, start, rtol=_ACCURACY, atol=0.0, restart=_PATIENCE, maxiter=1)
        return None if failure else np.asarray(found)

    def _factored(
        self, of: Differing, tangents: np.ndarray, pushed: np.ndarray, rows: np.ndarray
    ) -> np.ndarray:
        """Return ε by a new factor."""
        found = np.zeros_like(pushed)
        chosen = np.flatnonzero(rows.ravel()[of.places])
        self._components, self._factor = of.components[chosen], None
        if len(chosen):
            pairs = np.flatnonzero(rows.any(axis=1))
            spread, within = (3 * pairs[:, None] + np.arange(3)).ravel(), np.flatnonzero(rows[pairs].ravel())
            # Rows of components that turn out to differ only now are for the next round.
            within = within[np.isin(spread[within], of.places)]
            w = np.ascontiguousarray(of.compliance[np.ix_(chosen, spread)].T)
            inner = tangents[pairs] @ w.reshape(len(pairs), 3, -1)
            matrix = np.eye(len(chosen)) - inner.reshape(3 * len(pairs), -1)[within]
            self._factor = la.lu_factor(matrix, overwrite_a=True, check_finite=False)
            self.factorisations += 1
            found[chosen] = la.lu_solve(self._factor, pushed[chosen], check_finite=False)
        return found


def _pushed(of: Differing, tangents: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Return T W δ (c,) of δ (c,)."""
    moved = (change @ of.compliance).reshape(-1, 3)
    return np.asarray(np.einsum("mij,mj->mi", tangents, moved).ravel()[of.places])
