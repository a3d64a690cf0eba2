"""Factored iteration matrices: small and full ones by LAPACK, large ones with few entries by SuperLU.

A chain of bodies couples each one with its neighbours alone: of the 780 equations of 60 bars every row has a dozen
entries. Then factors take a twentieth of the time of full ones, and grow with the number of bodies alone.
"""

from functools import cached_property

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from faying.records import record
from faying.solvers.integrators._scheme import Rule

# Measured on chains of bars: full factors are faster for fewer equations, or with more entries among them.
_FEW_EQUATIONS, _FEW_ENTRIES = 150, 0.1


class _Factors:
    rule: Rule

    def suits(self, by_q: float) -> bool:
        """Whether the matrix of a rule with this factor is near enough to this one."""
        return 0.64 < self.rule.by_q / by_q < 1.56


@record("factored iteration matrix")
class FullFactors(_Factors):
    """A factored iteration matrix, with its rule; it is reused for similar rules."""

    factor: np.ndarray
    pivots: np.ndarray
    rule: Rule

    @classmethod
    def of(cls, matrix: np.ndarray, rule: Rule) -> "FullFactors":
        """Factor a matrix (n + m, n + m)."""
        # LAPACK itself: SciPy's wrappers take longer than the solution of small systems.
        factor, pivots, _ = la.lapack.dgetrf(matrix)
        return cls(factor, pivots, rule)

    @property
    def is_singular(self) -> bool:
        """Whether a pivot is zero."""
        return not self.factor.diagonal().all()

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Return (n + m,) the correction for a residual (n + m,)."""
        solution, _ = la.lapack.dgetrs(self.factor, self.pivots, right)
        return np.asarray(solution)


@record("sparse iteration matrix")
class SparseFactors(_Factors):
    """An iteration matrix with few entries, and its rule; a stored one is factored again, with the same result."""

    matrix: sp.csc_matrix
    rule: Rule

    @cached_property
    def _factors(self) -> spla.SuperLU | None:
        try:
            return spla.splu(sp.csc_matrix(self.matrix))
        except RuntimeError:  # exactly singular
            return None

    @property
    def is_singular(self) -> bool:
        """Whether a pivot is zero."""
        return self._factors is None

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Return (n + m,) the correction for a residual (n + m,)."""
        if self._factors is None:
            raise TypeError("A singular matrix has no solutions.")
        return np.asarray(self._factors.solve(right))


FactoredMatrix = FullFactors | SparseFactors


def factored(matrix: np.ndarray | sp.csc_matrix, rule: Rule) -> FactoredMatrix:
    """Return the factors of an iteration matrix (n + m, n + m), and its rule."""
    size = matrix.shape[0]
    if size > _FEW_EQUATIONS:
        entries = np.count_nonzero(matrix) if isinstance(matrix, np.ndarray) else matrix.nnz
        if entries < _FEW_ENTRIES * size**2:
            return SparseFactors(sp.csc_matrix(matrix), rule)
    return FullFactors.of(matrix if isinstance(matrix, np.ndarray) else matrix.toarray(order="F"), rule)
