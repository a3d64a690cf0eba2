"""The terms of all pair constraints of a system, evaluated in one compiled call over its coordinates."""

from collections.abc import Sequence

import numpy as np

from faying.multibody.connections import Place
from faying.multibody.constraints import PairConstraint
from faying.multibody.part import RIGID
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


class MarkerTable:
    """Markers in their order; attributes are as `faying.multibody.term_kernels.motions` takes them.

    Args:
        places: the markers.
        ranges: of each part's coordinates among all.
    """

    def __init__(self, places: Sequence[Place], ranges: Sequence[slice]) -> None:
        shapes = [place.marker.shape() for place in places]
        own = [ranges[place.part] for place in places]
        self.starts = np.array([at.start for at in own], dtype=np.int64)
        self.sizes = np.array([at.stop - at.start for at in own], dtype=np.int64)
        width = max(0, int(self.sizes.max(initial=0)) - RIGID)
        self.places = np.array([shape.place for shape in shapes], float).reshape(-1, 3)
        self.axes = np.array([shape.axes for shape in shapes], float).reshape(-1, 3, 3)
        self.displacements, self.rotations = np.zeros((2, len(shapes), 3, width))
        for k, shape in enumerate(shapes):
            self.displacements[k, :, : shape.displacements.shape[1]] = shape.displacements
            self.rotations[k, :, : shape.rotations.shape[1]] = shape.rotations
        self.deforming = np.array([[s.displacements.size > 0, s.rotations.size > 0] for s in shapes], bool)
        self.deforming = self.deforming.reshape(-1, 2)

    def arrays(self) -> tuple[np.ndarray, ...]:
        """Return all attributes, each in its shape, in the kernel's order."""
        return (
            self.starts, self.sizes, self.places, self.axes, self.displacements, self.rotations, self.deforming,
        )  # fmt: skip
