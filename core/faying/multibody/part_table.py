"""Parts as arrays, so that all of them are evaluated in one compiled call."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faying.multibody import part_kernels


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

    Attributes:
        inertia: the constants of all parts, one part after the other.

    Args:
        parts: constants of those that move.
    """

    def __init__(self, parts: Sequence[PartNumbers]) -> None:
        lengths = [[part.n, len(part.inertia), len(part.elasticity)] for part in parts]
        # Where coordinates, inertia and elasticity of each part begin; the last row is where the last ones end.
        self._ends = np.cumsum([[0, 0, 0], *lengths], axis=0, dtype=np.int64)
        self.inertia = np.concatenate([np.zeros(0), *(part.inertia for part in parts)])
        self._elasticity = np.concatenate([np.zeros(0), *(part.elasticity for part in parts)])
        self._n = int(self._ends[-1, 0])

    def mass_and_forces(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return M (n, n), block by block, and the parts' own forces (n,)."""
        mass, force = np.zeros((self._n, self._n)), np.empty(self._n)
        part_kernels.mass_and_forces(
            mass, force, _plain(q), _plain(v), gravity, self._ends, self.inertia, self._elasticity
        )
        return mass, force

    def force_changes(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the derivatives (n, n) of the parts' own forces over q and v."""
        by_q, by_v = np.zeros((self._n, self._n)), np.zeros((self._n, self._n))
        part_kernels.force_changes(
            by_q, by_v, _plain(q), _plain(v), gravity, self._ends, self.inertia, self._elasticity
        )
        return by_q, by_v

    def mass_change(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return (n, n) ∂(M a)/∂q at constant a."""
        change = np.zeros((self._n, self._n))
        if not a.any():  # at rest
            return change
        part_kernels.mass_changes(change, _plain(q), _plain(a), self._ends, self.inertia)
        return change


def _plain(vector: np.ndarray) -> np.ndarray:
    """Return a contiguous, writable copy: for other arrays the kernels would be compiled again."""
    return np.array(vector, dtype=float)
