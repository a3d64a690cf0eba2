"""The terms of all pair constraints of a system, evaluated in one compiled call over its coordinates."""

from collections.abc import Sequence

import numpy as np

from faying.multibody.connections import Place
from faying.multibody.constraints import PairConstraint
from faying.multibody.marker_table import MarkerTable
from faying.multibody.term_kernels import add_all_changes, evaluate
from faying.multibody.terms import term_array


class SystemTerms:
    """Terms with their markers, and where their equations are among those of the system.

    Args:
        members: the constraints, and where their equations are.
        places: two markers of each constraint, one constraint after the other.
        ranges: of each part's coordinates among all.
        rotations: where the Euler parameters of each moving part are among them.
    """

    def __init__(
        self,
        members: Sequence[tuple[PairConstraint, slice]],
        places: Sequence[Place],
        ranges: Sequence[slice],
        rotations: Sequence[slice],
    ) -> None:
        terms = [member.terms() for member, _ in members]
        self._terms = term_array([term for own in terms for term in own])
        numbers = [[2 * k, 2 * k + 1] for k, own in enumerate(terms) for _ in own]
        self._pairs = np.array(numbers, dtype=np.int64).reshape(-1, 2)
        self._equations = np.array([e for _, at in members for e in range(at.start, at.stop)], dtype=np.int64)
        self._rotations = np.array([at.start for at in rotations], dtype=np.int64)
        self._table = MarkerTable(places, ranges)

    def evaluate(self, q: np.ndarray, values: np.ndarray, rows: np.ndarray) -> None:
        """Write values and rows of terms and Euler parameters over q (n,) into zeros (m,) and (m, n)."""
        evaluate(
            values, rows, self._equations, self._terms, self._pairs, self._rotations,
            np.array(q, float), *self._table.arrays(),
        )  # fmt: skip

    def add_changes(self, matrix: np.ndarray, q: np.ndarray, multipliers: np.ndarray) -> None:
        """Add ∂(C_qᵀ λ)/∂q of the terms to a matrix (n, n), for multipliers (m,) of all equations."""
        add_all_changes(
            matrix, multipliers[self._equations], self._terms, self._pairs,
            np.array(q, float), *self._table.arrays(),
        )  # fmt: skip
