"""Markers of a system by their names, and their virtual motions over the coordinates of all parts."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from faying.errors import ModelError
from faying.multibody.block_matrix import MatrixBlock, square
from faying.multibody.markers import Marker, MarkerMotion
from faying.multibody.part import Part


@dataclass(frozen=True, eq=False)
class Place:
    """A marker of the system: its part's number, and the marker there."""

    part: int
    marker: Marker


class Connections:
    """Finds markers, and maps motions and wrenches between them and the coordinates of all parts.

    Attributes:
        ranges: of each part's coordinates among all.

    Args:
        parts: of the system.
        ranges: see above.
    """

    def __init__(self, parts: Sequence[Part], ranges: Sequence[slice]) -> None:
        self._parts, self.ranges = tuple(parts), tuple(ranges)
        self._n = ranges[-1].stop if ranges else 0

    def places(self, names: Sequence[str], whose: str) -> tuple[Place, ...]:
        """Return the markers "part.marker" of a member; `whose` names it in an error.

        Raises:
            ModelError: when one does not exist.
        """
        found = []
        for name in names:
            owner, _, marker = name.partition(".")
            numbers = [k for k, part in enumerate(self._parts) if part.name == owner]
            if not numbers or not marker:
                known = ", ".join(part.name for part in self._parts) or "none"
                raise ModelError(
                    f"There is no part for the marker {name!r} of {whose}.",
                    f'A marker is written "part.marker"; the parts are: {known}.',
                )
            found.append(Place(numbers[0], self._parts[numbers[0]].marker(marker)))
        return tuple(found)

    def motions(
        self, places: Sequence[Place], q: np.ndarray, v: np.ndarray | None = None
    ) -> list[MarkerMotion]:
        """Return the places of the markers for all coordinates (n,), and their motion for all velocities."""
        return [
            place.marker.motion(q[self.ranges[place.part]], None if v is None else v[self.ranges[place.part]])
            for place in places
        ]

    def virtual(self, places: Sequence[Place], motions: Sequence[MarkerMotion]) -> np.ndarray:
        """Return (6 m, n): virtual displacement and rotation of each marker over all coordinates."""
        rows = np.zeros((6 * len(places), self._n))
        for i, (place, motion) in enumerate(zip(places, motions, strict=True)):
            at = self.ranges[place.part]
            rows[6 * i : 6 * i + 3, at] = motion.d_position
            rows[6 * i + 3 : 6 * i + 6, at] = motion.d_rotation
        return rows

    def alone(self, places: Sequence[Place]) -> "Alone":
        """Return the markers of a member with the coordinates of their parts alone."""
        own = [self.ranges[place.part] for place in places]
        ends = np.cumsum([0, *(at.stop - at.start for at in own)])
        ranges = [slice(int(a), int(b)) for a, b in itertools.pairwise(ends)]
        return Alone(
            Connections([self._parts[place.part] for place in places], ranges),
            tuple(Place(k, place.marker) for k, place in enumerate(places)),
            np.concatenate([np.zeros(0, np.int64), *(np.arange(at.start, at.stop) for at in own)]),
        )

    def carry(
        self, rows: np.ndarray, places: Sequence[Place], motions: Sequence[MarkerMotion], target: np.ndarray
    ) -> None:
        """Add rows (k, 6 m) over virtual motions of the markers to rows (k, n) over all coordinates."""
        for i, (place, motion) in enumerate(zip(places, motions, strict=True)):
            at = self.ranges[place.part]
            if at.stop > at.start:
                push, turn = rows[:, 6 * i : 6 * i + 3], rows[:, 6 * i + 3 : 6 * i + 6]
                target[:, at] += push @ motion.d_position + turn @ motion.d_rotation

    def add_curvature(
        self, matrix: np.ndarray, places: Sequence[Place], q: np.ndarray, wrenches: np.ndarray
    ) -> None:
        """Add ∂/∂q of the generalised force of constant wrenches (6 m,) at the markers to a matrix (n, n)."""
        for i, place in enumerate(places):
            at = self.ranges[place.part]
            if at.stop > at.start:
                force, moment = wrenches[6 * i : 6 * i + 3], wrenches[6 * i + 3 : 6 * i + 6]
                matrix[at, at] += place.marker.curvature(q[at], force, moment)

    def rate_changes(self, places: Sequence[Place], q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return (6 m, n) the change of the markers' velocities and spins with q at constant v."""
        changes = np.zeros((6 * len(places), self._n))
        unit, still = np.eye(3), np.zeros((3, 3))
        for i, place in enumerate(places):
            at = self.ranges[place.part]
            if at.stop > at.start:
                changes[6 * i : 6 * i + 3, at] = v[at] @ place.marker.curvature(q[at], unit, still)
                changes[6 * i + 3 : 6 * i + 6, at] = v[at] @ place.marker.curvature(q[at], still, unit)
        return changes


class Alone(NamedTuple):
    """The markers of a constraint or force over the coordinates of their parts, marker by marker.

    Blocks over them are as small as the member, however many parts there are.

    Attributes:
        connections, places: over these coordinates.
        columns: (l,) where they are among all.
    """

    connections: Connections
    places: tuple[Place, ...]
    columns: np.ndarray

    def block(self, values: np.ndarray) -> MatrixBlock:
        """Return a matrix (l, l) over these coordinates as a block of one over all."""
        return MatrixBlock(*square(self.columns), values)
