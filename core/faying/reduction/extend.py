"""Extend the component modes by load modes, preload modes and joint modes to one basis of full rank."""

from collections.abc import Sequence

import numpy as np

from faying.linalg.products import blocks, energies
from faying.reduction.basis import ModeGroup, ReductionBasis
from faying.reduction.energy_orthonormal import orthonormal_in_place
from faying.reduction.interior import ROUND_OFF, InteriorProblem

_DEPENDENT = 1e-6  # energy norm, relative to the largest of the group, below which a vector is left out
_BLOCK = 16  # vectors freed of rigid motions at a time


def extend_basis(
    interior: InteriorProblem,
    components: ReductionBasis,
    joint_modes: np.ndarray,
    singular_values: np.ndarray,
    preload_modes: np.ndarray | None = None,
    remarks: tuple[str, ...] = (),
    more: Sequence[tuple[str, np.ndarray]] = (),
) -> ReductionBasis:
    """Return the basis [Φ_CMS Φ_PL Φ_J] of thesis eqs. 3.1 and 3.64, all freed of rigid body content.

    Each preload and joint mode is made orthogonal in the energy to all vectors before it. One that depends on them is
    left out and named in `removed`. (A preload mode minus its own derivative lies in the span of the component modes
    when its forces act at interface dofs, so the last of many joint modes may depend on it.)

    Args:
        interior: the body.
        components: Φ_CMS.
        joint_modes: Φ_J (n_dofs, g).
        singular_values: of the joint-mode method.
        preload_modes: Φ_PL (n_dofs, p).
        remarks: sentences on what the joint-mode method left out.
        more: names and vectors of further groups, such as those of a joint with a method of its own.
    """
    removed = (*components.removed, *remarks)
    groups, first = list(components.groups), components.modes.shape[1]
    named = [("preload modes", preload_modes), ("joint modes", joint_modes), *more]
    added = [(name, vectors) for name, vectors in named if vectors is not None and vectors.shape[1]]
    grown = GrowingBasis(interior, components.modes, sum(vectors.shape[1] for _, vectors in added))
    for name, vectors in added:
        start = first + grown.added
        left_out = grown.add(vectors)
        if left_out:
            removed = (*removed, f"{name} {', '.join(left_out)}, which depend on others")
        groups.append(ModeGroup(name, start, first + grown.added))
    modes = grown.modes()
    return ReductionBasis(modes, tuple(groups), components.frequencies, removed, singular_values)


def with_load_modes(
    interior: InteriorProblem, components: ReductionBasis, modes: np.ndarray, group: str = "load modes"
) -> ReductionBasis:
    """Return the component modes, extended by static responses (n_dofs, p) as a group of the given name.

    The responses are first scaled to unit energy, so that small loads count as much as large ones.
    """
    sizes = energies(interior.matrices.stiffness, modes)
    alike = modes / np.sqrt(np.where(sizes > 0.0, sizes, 1.0))
    grown = GrowingBasis(interior, components.modes, alike.shape[1])
    left_out = grown.add(alike)
    start = components.modes.shape[1]
    removed = (f"{group} {', '.join(left_out)}, which depend on others",) if left_out else ()
    return ReductionBasis(
        grown.modes(),
        (*components.groups, ModeGroup(group, start, start + grown.added)),
        components.frequencies,
        (*components.removed, *removed),
        components.singular_values,
    )


class GrowingBasis:
    """A basis (n, r) that grows by further vectors, in one array, so that no second copy of it is needed.

    While vectors are added, the array begins with an energy-orthonormal basis of the span of the first modes; `modes`
    puts the first modes themselves in its place.

    Args:
        interior: the body.
        first: (n, r) the basis.
        most: largest number of vectors to be added.

    Attributes:
        added: number of vectors added, without dependent ones.
        idle: (n, k) the first modes without elastic energy, to which no vector is made orthogonal.
    """

    def __init__(self, interior: InteriorProblem, first: np.ndarray, most: int) -> None:
        self._interior, self._stiffness, self._first = interior, interior.matrices.stiffness, first
        self._diagonal = np.abs(self._stiffness.diagonal())
        self._room = np.empty((len(first), first.shape[1] + most))
        stored = energies(self._stiffness, first)
        elastic = self._is_elastic(stored, first)
        alive, self.idle = np.flatnonzero(elastic), first[:, ~elastic]
        for k, number in enumerate(alive):
            self._room[:, k] = first[:, number] / np.sqrt(stored[number])
        _, kept = orthonormal_in_place(self._stiffness, self._room[:, : len(alive)])
        self._before, self.added = len(kept), 0

    def add(self, vectors: np.ndarray) -> list[str]:
        """Add the elastic part of each vector outside of those before it, with unit energy; return those left out.

        Returned are the numbers, from 1, of dependent vectors. The span is that of the vectors as given, but the
        reduced stiffness stays well conditioned: with dozens of merely independent vectors it would be nearly singular.
        """
        count, start = vectors.shape[1], self._before + self.added
        new = self._room[:, start : start + count]
        for at in range(0, count, _BLOCK):
            block = slice(at, min(at + _BLOCK, count))
            new[:, block] = self._interior.without_rigid_content(vectors[:, block])
        stored = energies(self._stiffness, new)
        alive = self._is_elastic(stored, new) & (stored > _DEPENDENT**2 * stored.max(initial=0.0))
        numbers = np.flatnonzero(alive)
        for k, number in enumerate(numbers):
            new[:, k] = new[:, number] / np.sqrt(stored[number])
        _, kept = orthonormal_in_place(self._stiffness, self._room[:, : start + len(numbers)], start)
        self.added += len(kept)
        there = set(numbers[kept].tolist())
        return [str(i + 1) for i in range(count) if i not in there]

    @property
    def vectors(self) -> np.ndarray:
        """(n, r') vectors orthonormal in the energy that span the elastic part of all vectors so far; read-only."""
        return self._room[:, : self._before + self.added]

    def modes(self) -> np.ndarray:
        """Return (n, r + added) the first modes and the added vectors, in the same array; nothing can be added then."""
        first, room, added = self._first.shape[1], self._room, self.added
        count, numbers = first + added, room.reshape(-1)
        for rows in blocks(len(room)):
            both = np.hstack([self._first[rows], room[rows, self._before : self._before + added]])
            numbers[rows.start * count : rows.stop * count] = (
                both.ravel()
            )  # never beyond the part already read
        return numbers[: len(room) * count].reshape(len(room), count)

    def _is_elastic(self, stored: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        # A motion that only contact resists stores no energy; the round-off of its energy must not be scaled up.
        alone = np.zeros(vectors.shape[1])
        for rows in blocks(len(vectors)):
            alone += self._diagonal[rows] @ vectors[rows] ** 2
        return np.asarray(stored > ROUND_OFF * alone)
