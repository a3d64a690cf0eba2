"""Parts as arrays, so that all of them are evaluated in one call."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from faying.multibody.block_matrix import MatrixBlock, square
from faying.multibody.inertia_change_kernels import write_flexible_changes
from faying.multibody.inertia_changes import force_changes, mass_changes
from faying.multibody.inertia_kernels import mass_and_forces
from faying.multibody.inertia_numbers import Inertias
from faying.multibody.rigid_kernels import write_imbalance, write_imbalance_changes

_RIGID = 7  # coordinates of a rigid part: position and Euler parameters
_NONE = np.zeros(0)


@dataclass(frozen=True, eq=False)
class PartNumbers:
    """The constants of a part.

    Attributes:
        n: number of its coordinates, 7 + r.
        inertia: of `faying.multibody.inertia_numbers.packed`.
        elasticity: stiffness (r, r), damping (r, r) and constant load (r,) one after the other; empty without them.
    """

    n: int
    inertia: np.ndarray
    elasticity: np.ndarray

    def elastic(self) -> np.ndarray:
        """Return the elasticity (2 r² + r,); zeros without it."""
        r = self.n - _RIGID
        return self.elasticity if len(self.elasticity) else np.zeros(2 * r * r + r)


class PartTable:
    """Inertia and own forces of parts over the coordinates of all of them, one part after the other.

    Rigid parts, which have seven coordinates, have a kernel of their own: it is a tenth as long as that of flexible
    ones, and compiled in a fifth of the time.

    Attributes:
        n: number of all coordinates.
        starts, numbers: of the rigid parts, as `faying.multibody.rigid_kernels.write_imbalance` takes them.

    Args:
        parts: constants of those that move.
    """

    def __init__(self, parts: Sequence[PartNumbers]) -> None:
        ends = np.cumsum([0, *(part.n for part in parts)], dtype=np.int64)
        self.n, begin = int(ends[-1]), ends[:-1]
        rigid = [k for k, part in enumerate(parts) if part.n == _RIGID]
        self.starts = begin[np.array(rigid, dtype=np.int64)]
        self.numbers = np.array([parts[k].inertia for k in rigid]).reshape(-1, 11)
        flexible = [k for k, part in enumerate(parts) if part.n > _RIGID]
        inertias, elastic = [parts[k].inertia for k in flexible], [parts[k].elastic() for k in flexible]
        self._places = np.array(
            [
                (parts[k].n - _RIGID, begin[k], sum(map(len, inertias[:i])), sum(map(len, elastic[:i])))
                for i, k in enumerate(flexible)
            ],
            dtype=np.int64,
        ).reshape(-1, 4)
        self._inertia, self._elasticity = (
            np.concatenate([_NONE, *inertias]),
            np.concatenate([_NONE, *elastic]),
        )
        sizes = sorted({part.n for part in parts})
        self._stacks = [_Stack.of(parts, begin, n) for n in sizes]

    def mass_and_forces(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return M (n, n), block by block, and the parts' own forces (n,)."""
        mass, force = self._of_flexible(q, v, gravity)
        if len(self.starts):
            self._write_rigid(force, q, v, np.zeros(self.n), gravity)
            columns = self.starts[:, None] + np.arange(_RIGID)
            force[columns] *= -1.0
            mass[columns[:, :, None], columns[:, None, :]] = self._rigid_masses(q)
        return mass, force

    def write_imbalance(
        self, force: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray, gravity: np.ndarray
    ) -> None:
        """Write M a less the parts' own forces into a vector (n,); of rigid parts without a matrix."""
        if len(self._places):
            mass, own = self._of_flexible(q, v, gravity)
            np.subtract(mass @ a, own, out=force)
        self._write_rigid(force, q, v, a, gravity)

    def arrays(self) -> tuple[Any, ...]:
        """Return what a kernel evaluates the parts with, see `faying.multibody.step_kernels.newmark_step`."""
        space = (np.zeros((self.n, self.n)), np.zeros(self.n)) if len(self._places) else (None, None)
        return self.starts, self.numbers, *space, self._places, self._inertia, self._elasticity

    def inertia_forces(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return M a (n,)."""
        none, still = np.zeros(self.n), np.zeros(3)
        found = (
            np.asarray(self._of_flexible(q, none, still)[0] @ a) if len(self._places) else np.empty(self.n)
        )
        self._write_rigid(found, q, none, a, still)
        return found

    def _rigid_masses(self, q: np.ndarray) -> np.ndarray:
        """Return M (parts, 7, 7) of rigid parts."""
        masses, none, still = np.zeros((len(self.starts), _RIGID, _RIGID)), np.zeros(self.n), np.zeros(3)
        only = np.array([0.0, 0.0, 1.0])  # M is the derivative over accelerations
        write_imbalance_changes(masses, np.array(q), none, none, still, only, self.starts, self.numbers)
        return masses

    def _write_rigid(
        self, force: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray, gravity: np.ndarray
    ) -> None:
        """Write M a − Q of rigid parts into a vector (n,)."""
        if len(self.starts):
            # Copies are contiguous and writable: for other arrays the kernel would be compiled again.
            write_imbalance(
                force, np.array(q), np.array(v), np.array(a), np.array(gravity), self.starts, self.numbers
            )

    def _of_flexible(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return M (n, n) and own forces (n,) of flexible parts; zero for rigid ones."""
        mass, force = np.zeros((self.n, self.n)), np.zeros(self.n)
        if len(self._places):
            mass_and_forces(
                mass, force, np.array(q), np.array(v), np.array(gravity), self._places, self._inertia, self._elasticity
            )  # fmt: skip
        return mass, force

    def force_changes(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the derivatives (n, n) of the parts' own forces over q and v."""
        by_q, by_v = np.zeros((2, self.n, self.n))
        for stack in self._stacks:
            own_q, own_v = force_changes(q[stack.columns], v[stack.columns], gravity, stack.inertias)
            own_q[:, 7:, 7:] -= stack.stiffness
            own_v[:, 7:, 7:] -= stack.damping
            stack.add(by_q, own_q)
            stack.add(by_v, own_v)
        return by_q, by_v

    def tangent(
        self,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        gravity: np.ndarray,
        weights: tuple[float, float, float],
    ) -> list[MatrixBlock]:
        """Return the derivatives of M a less the parts' own forces, a block (P, n, n) for parts of each size.

        Args:
            q, v, a: (n,).
            gravity: (3,) in the inertial frame.
            weights: of the derivatives over q, v and a, which are summed.
        """
        found, state = [], (np.array(q), np.array(v), np.array(a), np.array(gravity), np.array(weights))
        for stack in self._stacks:
            count, n = stack.columns.shape
            blocks = np.zeros((count, n, n))
            if n == _RIGID:
                write_imbalance_changes(blocks, *state, self.starts, self.numbers)
            else:
                own = self._places[self._places[:, 0] == n - _RIGID]
                write_flexible_changes(blocks, *state, own, self._inertia, self._elasticity)
            found.append(MatrixBlock(*stack.squares, blocks))
        return found

    def mass_change(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return (n, n) ∂(M a)/∂q at constant a."""
        change = np.zeros((self.n, self.n))
        if a.any():  # not at rest
            for stack in self._stacks:
                stack.add(change, mass_changes(q[stack.columns], a[stack.columns], stack.inertias))
        return change


@dataclass(frozen=True, eq=False)
class _Stack:
    """Parts with the same number of coordinates.

    Attributes:
        columns: (P, n) where their coordinates are among all.
        inertias: their constants.
        stiffness, damping: (P, r, r).
    """

    columns: np.ndarray
    inertias: Inertias
    stiffness: np.ndarray
    damping: np.ndarray

    @classmethod
    def of(cls, parts: Sequence[PartNumbers], starts: np.ndarray, n: int) -> "_Stack":
        """Return those of n coordinates, among parts that start at given ones."""
        own = [(start, part) for start, part in zip(starts, parts, strict=True) if part.n == n]
        r, columns = n - _RIGID, np.array([start + np.arange(n) for start, _ in own])
        elastic = np.zeros((2, len(own), r * r))
        for k, (_, part) in enumerate(own):
            elastic[0, k], elastic[1, k] = part.elastic()[: 2 * r * r].reshape(2, r * r)
        inertias = Inertias.of(np.array([part.inertia for _, part in own]), r)
        stiffness, damping = elastic.reshape(2, len(own), r, r)
        return cls(columns, inertias, stiffness, damping)

    @cached_property
    def squares(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns (P, n, n) of the blocks."""
        return square(self.columns)

    def add(self, matrix: np.ndarray, blocks: np.ndarray) -> None:
        """Add a block (P, n, n) of each part to a matrix over all coordinates."""
        matrix[self.columns[:, :, None], self.columns[:, None, :]] += blocks
