"""The equations of a step with all but contact made linear, and their solution by Newton's method.

Contact changes from pair to pair within micrometres, everything else hardly within a step. So each correction of a
step solves its linearised equations with the true forces of contact: pairs open and close many times meanwhile,
which costs evaluations of contact alone, and neither forces nor constraints of the system.
"""

from collections.abc import Callable

import numpy as np

from faying.solvers.integrators._iteration_matrix import Jacobian, Smooth
from faying.solvers.integrators._scheme import Rule
from faying.solvers.newton import search_line

_ENOUGH = 0.1  # of the energy rate that a search leaves
_MOST = 25  # evaluations of a search

Contact = Callable[[np.ndarray, bool], tuple[np.ndarray, np.ndarray | None]]


class ContactProblem:
    """S x + r − f(q + by_q x) = 0 over changes x = (Δa, ΔΛ) of a step's unknowns.

    Args:
        smooth: S.
        rest: r (n + m,), what is out of balance without contact.
        q: (n,) coordinates there.
        rule: of the step.
        contact: (q, jacobian) -> f (n,) and, if asked for, ∂f/∂q (n, n).
    """

    def __init__(self, smooth: Smooth, rest: np.ndarray, q: np.ndarray, rule: Rule, contact: Contact) -> None:
        self._smooth, self._rest, self._q, self._rule, self._contact = smooth, rest, q, rule, contact
        self._n = len(q)

    def residual(self, x: np.ndarray) -> np.ndarray:
        """Return what is out of balance (n + m,)."""
        r = self._smooth.matrix @ x + self._rest
        r[: self._n] -= self._contact(self.place(x), False)[0]
        return np.asarray(r)

    def jacobian(self, x: np.ndarray) -> Jacobian:
        """Return the factored tangent."""
        matrix = self._smooth.matrix.copy()
        change = self._contact(self.place(x), True)[1]
        if change is not None:
            matrix[: self._n, : self._n] -= self._rule.by_q * change
        return Jacobian(matrix, self._rule)

    def at(self, q: np.ndarray) -> np.ndarray:
        """Return the change that leads to coordinates."""
        x = np.zeros(len(self._rest))
        x[: self._n] = (q - self._q) / self._rule.by_q
        return x

    def place(self, x: np.ndarray) -> np.ndarray:
        """Return (n,) the coordinates that a change leads to."""
        return np.asarray(self._q + self._rule.by_q * x[: self._n])

    def search(self, x: np.ndarray, step: np.ndarray, residual: np.ndarray) -> tuple[float, np.ndarray]:
        """Return how far to go along a step that keeps the constraints, and the residual there."""
        length, there, _ = search_line(
            self.residual, x, step, self._rate(step, residual), most=_MOST, rate_of=self._rate, enough=_ENOUGH
        )
        return length, there

    def _rate(self, step: np.ndarray, residual: np.ndarray) -> float:
        return float(step[: self._n] @ residual[: self._n])
