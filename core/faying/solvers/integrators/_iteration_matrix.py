"""The matrices of Newton's iteration on a time step."""

from typing import Any

import numpy as np
import scipy.linalg as la

from faying.records import record
from faying.solvers.integrators._scheme import Rule


@record("smooth iteration matrix")
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

    def memory(self) -> dict[str, Any]:
        """Return the factor, from which `recalled` makes the same matrix again."""
        return {"factor": self._factor, "pivots": self._pivots, "rule": self.rule}

    @classmethod
    def recalled(cls, memory: dict[str, Any]) -> "Jacobian":
        """Return the matrix of a memory."""
        found = cls.__new__(cls)
        found._factor, found._pivots, found.rule = memory["factor"], memory["pivots"], memory["rule"]
        return found

    def suits(self, rule: Rule) -> bool:
        """Whether the matrix of a rule is near enough to this one."""
        return 0.64 < self.rule.by_q / rule.by_q < 1.56

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Return the correction for a residual."""
        solution, _ = la.lapack.dgetrs(self._factor, self._pivots, right)
        return np.asarray(solution)
