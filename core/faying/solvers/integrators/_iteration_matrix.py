"""The matrices of Newton's iteration on a time step."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from faying.solvers.integrators._scheme import Rule


@dataclass(frozen=True, eq=False)
class Smooth:
    """The iteration matrix (n + m, n + m) of everything but contact, and the rule that it was made for."""

    matrix: np.ndarray
    rule: Rule

    def is_of(self, rule: Rule) -> bool:
        """Whether it was made for such a rule."""
        own = self.rule
        return (own.by_q, own.by_v, own.weight) == (rule.by_q, rule.by_v, rule.weight)


class Jacobian:
    """A factored iteration matrix, of the smooth part that it was made of; good for others of nearly the same."""

    def __init__(self, matrix: np.ndarray, rule: Rule) -> None:
        self.rule = rule
        # LAPACK itself: SciPy's wrappers take longer than the solution of small systems.
        self._factor, self._pivots, _ = la.lapack.dgetrf(matrix)

    def suits(self, rule: Rule) -> bool:
        """Whether the matrix of a rule is near enough to this one."""
        return 0.64 < self.rule.by_q / rule.by_q < 1.56

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Return the correction for a residual."""
        solution, _ = la.lapack.dgetrs(self._factor, self._pivots, right)
        return np.asarray(solution)
