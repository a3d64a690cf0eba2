"""Steps of a run in one kernel: the twin of the stages of `faying.solvers.integrators._step`.

A system without contact offers `StepTables`, whose kernel takes a step with a full matrix. The kernel stops where it
needs a new one, or members that only Python knows. Steps that do not converge are left to the stages, which say why;
so are those of large systems, with sparse matrices. Both ways give the same steps, to rounding.
"""

from typing import NamedTuple

import numpy as np

from faying.solvers.integrators import (
    BEGINS,
    FAILED,
    NEEDS_MATRIX,
    NEEDS_MEMBERS,
    TAKEN,
    DynamicSystem,
    State,
    StepTables,
)
from faying.solvers.integrators._extrapolation import Extrapolation
from faying.solvers.integrators._factored import FactoredMatrix, FullFactors, SparseFactors
from faying.solvers.integrators._factored import factored as factored_matrix
from faying.solvers.integrators._newton import (
    QUADRATIC_CONVERGENCE,
    SLOW_CONVERGENCE,
    Accuracy,
    Effort,
    IterationMatrices,
)
from faying.solvers.integrators._scheme import NewmarkScheme


class TakenStep(NamedTuple):
    """A step that was taken: state at its end, scheme's data, next guess, matrix, error over tolerance, effort."""

    state: State
    past: np.ndarray
    unknowns: Extrapolation
    matrices: IterationMatrices
    error: float
    effort: Effort


class CompiledStep:
    """Takes steps of a run; its arrays are made once. A state's arrays are never written to again.

    Args:
        system: whose steps are taken, for its tangent.
        tables: of the system.
        scheme: the formulas.
        accuracy: of the iterations.
        fixed_step: whether errors limit nothing.
    """

    def __init__(
        self,
        system: DynamicSystem,
        tables: StepTables,
        scheme: NewmarkScheme,
        accuracy: Accuracy,
        fixed_step: bool,
    ) -> None:
        self._system, self._tables, self._formulas = system, tables, scheme
        self._weights = accuracy.weights
        *constants, error = scheme.constants
        limits = accuracy.left, accuracy.iterations, SLOW_CONVERGENCE, QUADRATIC_CONVERGENCE
        self._scheme = np.array([*constants, 0.0 if fixed_step else error, *limits])
        # The last state with its arrays as the kernel takes them, and the last matrix likewise, columns first.
        self._known: tuple[State | None, np.ndarray, np.ndarray] = None, np.zeros(0), np.zeros(0)
        none = np.zeros((2, 2), order="F"), np.zeros(2, np.int32)
        self._factored: tuple[FullFactors | None, np.ndarray, np.ndarray] = None, *none

    def take(
        self,
        state: State,
        past: np.ndarray,
        unknowns: Extrapolation,
        matrices: IterationMatrices,
        length: float,
    ) -> TakenStep | None:
        """Return a step of a length from a state; None where the stages have to take it.

        Args:
            state, past, unknowns, matrices, length: what the last step hands on, see `_step.Carried`.
        """
        factored = matrices.factored
        if isinstance(factored, SparseFactors):
            return None
        if self._known[0] is not state:
            start = np.array([state.q, state.v, state.a, past])
            self._known = state, start, self._tables.angles(state.history)
        _, start, angles = self._known
        end, values, angles = np.zeros(start.shape), np.zeros(unknowns.values.shape), angles.copy()
        time, times = state.time + length, np.array(unknowns.times)
        by_q = self._scheme[1] * length**2
        serves = factored is not None and factored.suits(by_q)
        said, iterations, jacobians, points, left = BEGINS, 0, 0, unknowns.points, np.inf
        while said < TAKEN:
            if isinstance(factored, FullFactors) and factored is not self._factored[0]:
                self._factored = factored, np.array(factored.factor, order="F"), np.array(factored.pivots)
            said, serves, iterations, points, left = self._tables.step(
                start, end, unknowns.values, values, times, points, unknowns.chooses, time, length, self._scheme,
                self._weights, *self._factored[1:], serves, said, iterations, left, angles,
            )  # fmt: skip
            if said == NEEDS_MEMBERS:
                self._tables.add_members(time, state.history, by_q)
            elif said == NEEDS_MATRIX:
                factored, serves = self._matrix(state, past, time, length), True
                matrices, jacobians = IterationMatrices(factored), jacobians + 1
                if not isinstance(factored, FullFactors) or factored.is_singular:
                    return None
        if said == FAILED:
            return None
        q, v, multipliers = end[0], end[1], values[0, self._system.n :]
        history = self._tables.accepted(time, q, v, multipliers, state.history, angles)
        after = State(time, q, v, end[2], multipliers, history)
        self._known = after, end, angles
        unknowns, effort = unknowns.followed(time, values, points), Effort(iterations, jacobians)
        return TakenStep(after, end[3], unknowns, matrices, left, effort)

    def _matrix(self, state: State, past: np.ndarray, time: float, length: float) -> FactoredMatrix | None:
        """Return the factors of the matrix at the trial where the kernel stopped."""
        rule = self._formulas.rule(past, state, length)
        weights = rule.by_q, rule.by_v, rule.weight
        (q, v, a), multipliers = self._tables.trial, self._tables.multipliers
        matrix = self._system.tangent(time, q, v, a, multipliers, state.history, weights)
        return None if matrix is None else factored_matrix(matrix, rule)
