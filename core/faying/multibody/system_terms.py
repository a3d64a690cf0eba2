"""The terms of all pair constraints of a system, evaluated in compiled calls over its coordinates."""

from collections.abc import Sequence

import numpy as np

from faying.multibody.connections import Place
from faying.multibody.constraints import PairConstraint
from faying.multibody.kernels import term_kernels
from faying.multibody.marker_table import MarkerTable
from faying.multibody.terms import term_array


class SystemTerms:
    """Terms with their markers, and where their equations are among those of the system.

    Args:
        members: the constraints, and where their equations are.
        places: two markers of each constraint, one constraint after the other.
        ranges: of each part's coordinates among all.
    """

    def __init__(
        self,
        members: Sequence[tuple[PairConstraint, slice]],
        places: Sequence[Place],
        ranges: Sequence[slice],
    ) -> None:
        terms = [member.terms() for member, _ in members]
        self._terms = term_array([term for own in terms for term in own])
        numbers = [[2 * k, 2 * k + 1] for k, own in enumerate(terms) for _ in own]
        self._pairs = np.array(numbers, dtype=np.int64).reshape(-1, 2)
        self._equations = np.array([e for _, at in members for e in range(at.start, at.stop)], dtype=np.int64)
        self._table, self._places, self._ranges = MarkerTable(places, ranges), tuple(places), tuple(ranges)

    def evaluate(self, q: np.ndarray, values: np.ndarray, rows: np.ndarray) -> None:
        """Write the terms' values and rows over q (n,) into those of all equations, (m,) and (m, n)."""
        kernel, table = term_kernels(), self._table
        position, axes, d_position, d_rotation = kernel.motions(q, *table.arrays())
        own_values, own_rows = kernel.rows(self._terms, self._pairs, position, axes)
        values[self._equations] = own_values
        kernel.carried(
            own_rows, self._pairs, table.starts, table.sizes, d_position, d_rotation, rows, self._equations
        )

    def add_changes(self, matrix: np.ndarray, q: np.ndarray, multipliers: np.ndarray) -> None:
        """Add ∂(C_qᵀ λ)/∂q of the terms to a matrix (n, n), for multipliers (m,) of all equations."""
        kernel, table, own = term_kernels(), self._table, multipliers[self._equations]
        position, axes, d_position, d_rotation = kernel.motions(q, *table.arrays())
        change = kernel.changes(self._terms, self._pairs, position, axes, own)
        kernel.add_changes(matrix, change, self._pairs, table.starts, table.sizes, d_position, d_rotation)
        # The rows themselves turn and grow with the coordinates.
        wrenches = np.zeros((len(self._places), 6))
        weighted = kernel.rows(self._terms, self._pairs, position, axes)[1] * own[:, None]
        np.add.at(wrenches, self._pairs, weighted.reshape(-1, 2, 6))
        for place, wrench in zip(self._places, wrenches, strict=True):
            at = self._ranges[place.part]
            if at.stop > at.start and wrench.any():
                matrix[at, at] += place.marker.curvature(q[at], wrench[:3], wrench[3:])
