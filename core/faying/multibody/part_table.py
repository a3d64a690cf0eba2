"""Parts as arrays, so that all of them are evaluated in one call."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faying.multibody.inertia_changes import force_changes, mass_changes
from faying.multibody.inertia_kernels import mass_and_forces
from faying.multibody.inertia_numbers import Inertias


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


class PartTable:
    """Inertia and own forces of parts over the coordinates of all of them, one part after the other.

    Args:
        parts: constants of those that move.
    """

    def __init__(self, parts: Sequence[PartNumbers]) -> None:
        lengths = [[part.n, len(part.inertia), len(part.elasticity)] for part in parts]
        # Where coordinates, inertia and elasticity of each part begin; the last row is where the last ones end.
        self._ends = np.cumsum([[0, 0, 0], *lengths], axis=0, dtype=np.int64)
        self._inertia = np.concatenate([np.zeros(0), *(part.inertia for part in parts)])
        self._elasticity = np.concatenate([np.zeros(0), *(part.elasticity for part in parts)])
        self._n = int(self._ends[-1, 0])
        sizes = sorted({part.n for part in parts})
        self._stacks = [_Stack.of(parts, self._ends[:-1, 0], n) for n in sizes]

    def mass_and_forces(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return M (n, n), block by block, and the parts' own forces (n,)."""
        mass, force = np.zeros((self._n, self._n)), np.empty(self._n)
        # Copies are contiguous and writable: for other arrays the kernel would be compiled again.
        mass_and_forces(
            mass,
            force,
            np.array(q),
            np.array(v),
            np.array(gravity),
            self._ends,
            self._inertia,
            self._elasticity,
        )
        return mass, force

    def force_changes(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the derivatives (n, n) of the parts' own forces over q and v."""
        by_q, by_v = np.zeros((2, self._n, self._n))
        for stack in self._stacks:
            own_q, own_v = force_changes(q[stack.columns], v[stack.columns], gravity, stack.inertias)
            own_q[:, 7:, 7:] -= stack.stiffness
            own_v[:, 7:, 7:] -= stack.damping
            stack.add(by_q, own_q)
            stack.add(by_v, own_v)
        return by_q, by_v

    def mass_change(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return (n, n) ∂(M a)/∂q at constant a."""
        change = np.zeros((self._n, self._n))
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
        r, columns = n - 7, np.array([start + np.arange(n) for start, _ in own])
        elastic = np.zeros((2, len(own), r * r))
        for k, (_, part) in enumerate(own):
            if len(part.elasticity):
                elastic[0, k], elastic[1, k] = part.elasticity[: 2 * r * r].reshape(2, r * r)
        inertias = Inertias.of(np.array([part.inertia for _, part in own]), r)
        stiffness, damping = elastic.reshape(2, len(own), r, r)
        return cls(columns, inertias, stiffness, damping)

    def add(self, matrix: np.ndarray, blocks: np.ndarray) -> None:
        """Add a block (P, n, n) of each part to a matrix over all coordinates."""
        matrix[self.columns[:, :, None], self.columns[:, None, :]] += blocks
