"""The terms of all pair constraints of a system, evaluated together over its coordinates."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from faying.multibody.block_matrix import MatrixBlock
from faying.multibody.connections import Place
from faying.multibody.constraints import PairConstraint
from faying.multibody.marker_table import MarkerTable
from faying.multibody.tangent_kernels import write_term_changes
from faying.multibody.term_changes import first_of_pairs
from faying.multibody.term_kernels import add_constraints, rows, write_equations
from faying.multibody.terms import term_array


class SystemTerms:
    """Terms with their markers, and where their equations are among those of the system.

    Attributes:
        arrays: what `faying.multibody.term_kernels.add_constraints` takes after the state.

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
        self._n = max((at.stop for at in ranges), default=0)
        terms = [member.terms() for member, _ in members]
        self._terms = term_array([term for own in terms for term in own])
        numbers = [[2 * k, 2 * k + 1] for k, own in enumerate(terms) for _ in own]
        self._pairs = np.array(numbers, dtype=np.int64).reshape(-1, 2)
        self._equations = np.array([e for _, at in members for e in range(at.start, at.stop)], dtype=np.int64)
        self._rotations = np.array([at.start for at in rotations], dtype=np.int64)
        shapes = [place.marker.shape() for place in places]
        self._table = table = MarkerTable(shapes, [ranges[place.part] for place in places])
        self._space = table.space()
        of_terms = np.zeros(len(self._terms)), np.zeros((len(self._terms), 12)), np.zeros((len(shapes), 6))
        # Of `add_constraints`: without allocations in each correction of a step.
        self.arrays = (
            self._equations, self._terms, self._pairs, self._rotations, table.starts, table.sizes, table.places,
            table.axes, table.displacements, table.rotations, table.bows, table.deforming, *self._space, *of_terms,
        )  # fmt: skip

    def evaluate(self, q: np.ndarray, values: np.ndarray, target: np.ndarray) -> None:
        """Write values and rows of terms and Euler parameters over q (n,) into zeros (m,) and (m, n)."""
        table = self._table
        table.write_motions(self._space, q)
        position, axes, d_position, d_rotation = self._space
        own, own_rows = rows(self._terms, self._pairs, position, axes)
        write_equations(
            values, target, self._equations, own, own_rows, self._pairs, table.starts, table.sizes,
            d_position, d_rotation, self._rotations, np.array(q),
        )  # fmt: skip

    def add_forces(
        self, q: np.ndarray, multipliers: np.ndarray, force: np.ndarray, values: np.ndarray
    ) -> None:
        """Add C_qᵀ λ of terms and Euler parameters to forces (n,), and write their C into values (m,).

        Forces, values and multipliers are contiguous and writable: for others the kernel would be compiled again.
        """
        add_constraints(force, values, np.array(q), multipliers, *self.arrays)

    def add_changes(self, matrix: np.ndarray, q: np.ndarray, multipliers: np.ndarray) -> None:
        """Add ∂(C_qᵀ λ)/∂q of the terms to a matrix (n, n), for multipliers (m,) of all equations."""
        for block in self.tangent(q, multipliers)[:2]:
            block.add_to(matrix)

    def tangent(self, q: np.ndarray, multipliers: np.ndarray) -> tuple[MatrixBlock, MatrixBlock, MatrixBlock]:
        """Return ∂(C_qᵀ λ)/∂q of the terms in two blocks, and C_q with its rows counted from n on.

        Args:
            q: (n,).
            multipliers: (m,) of all equations.
        """
        table, own = self._table, multipliers[self._equations]
        position, axes, d_position, d_rotation = table.motions(q)
        own_rows = rows(self._terms, self._pairs, position, axes)[1]
        width = d_position.shape[2]
        over = np.empty((len(self._first), 2, 2, width, width))
        wrenches = np.zeros((len(table.starts), 6))
        write_term_changes(
            over, wrenches, self._terms, self._pairs, self._first, own, position, axes, d_position, d_rotation,
            own_rows,
        )  # fmt: skip
        # The rows themselves turn and grow with the coordinates.
        bent = table.curvature_blocks(q, wrenches)
        motions = np.concatenate([d_position, d_rotation], axis=1)[self._pairs]  # (k, 2, 6, w)
        over_all = (own_rows.reshape(-1, 2, 1, 6) @ motions)[:, :, 0]
        return (
            MatrixBlock(*self._squares, over),
            MatrixBlock(*table.squares, bent),
            MatrixBlock(*self._row_places, over_all),
        )

    @cached_property
    def _row_places(self) -> tuple[np.ndarray, np.ndarray]:
        columns = self._table.columns[self._pairs]  # (k, 2, w)
        equations = (self._n + self._equations)[:, None, None]
        return np.broadcast_to(equations, columns.shape), columns

    @cached_property
    def _first(self) -> np.ndarray:
        return first_of_pairs(self._pairs)

    @cached_property
    def _squares(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns (c, 2, 2, w, w) of all four blocks of two markers."""
        of_pairs = self._table.columns[self._pairs[self._first]]  # (c, 2, w)
        c, _, w = of_pairs.shape
        shape = (c, 2, 2, w, w)
        rows, columns = of_pairs[:, :, None, :, None], of_pairs[:, None, :, None, :]
        return np.broadcast_to(rows, shape), np.broadcast_to(columns, shape)

    def angles(self, q: np.ndarray) -> np.ndarray:
        """Return (m,) the angle of each constraint from x_i to x_j about z_i, in (−π, π]."""
        self._table.write_motions(self._space, q)
        axes = self._space[1]
        first, second = axes[0::2], axes[1::2, :, 0]
        return np.asarray(np.arctan2(np.vecdot(first[:, :, 1], second), np.vecdot(first[:, :, 0], second)))
