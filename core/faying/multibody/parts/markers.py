"""Markers on ground, fixed to a part's frame, and on nodes of a flexible part."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from faying.multibody.marker_table import MarkerTable
from faying.multibody.markers import MarkerMotion, MarkerShape
from faying.multibody.small_matrices import curvatures

_NONE = np.zeros((3, 0))  # of a marker that does not move in the frame


def _unturned() -> np.ndarray:
    return np.eye(3)


@dataclass(frozen=True, eq=False)
class GroundMarker:
    """A marker that never moves.

    Attributes:
        name: of the marker.
        position: (3,) in the inertial frame.
        axes: (3, 3) unit vectors in the columns.
    """

    name: str
    position: np.ndarray
    axes: np.ndarray = field(default_factory=_unturned)

    def shape(self) -> MarkerShape:
        """Return its place and axes."""
        return MarkerShape(self.position, self.axes, _NONE, _NONE)

    def motion(self, q: np.ndarray, v: np.ndarray | None = None) -> MarkerMotion:
        """Return where it is; there are no coordinates."""
        none, still = np.zeros((3, 0)), np.zeros(3)
        return MarkerMotion(self.position, self.axes, none, none, still, still)

    def curvature(self, q: np.ndarray, force: np.ndarray, moment: np.ndarray) -> np.ndarray:
        """Return (0, 0)."""
        return np.zeros((0, 0))


class _OnPart(ABC):
    """A marker of a moving part, which moves by its shape."""

    @abstractmethod
    def shape(self) -> MarkerShape:
        """Return place, axes and rows together, as kernels take them."""

    def motion(self, q: np.ndarray, v: np.ndarray | None = None) -> MarkerMotion:
        """Return where it is and how it moves."""
        position, axes, d_position, d_rotation = (found[0] for found in self._table(len(q)).motions(q))
        if v is None:
            still = np.zeros(3)
            return MarkerMotion(position, axes, d_position, d_rotation, still, still)
        return MarkerMotion(position, axes, d_position, d_rotation, d_position @ v, d_rotation @ v)

    def curvature(self, q: np.ndarray, force: np.ndarray, moment: np.ndarray) -> np.ndarray:
        """Return (…, n, n) the change of the generalised force of constant forces and moments (…, 3)."""
        shape = self.shape()
        return curvatures(q, shape.place, shape.displacements, shape.rotations, force, moment, shape.bows)

    @cached_property
    def _tables(self) -> dict[int, MarkerTable]:
        return {}

    def _table(self, n: int) -> MarkerTable:
        """Return it as the only marker of a part with n coordinates."""
        if n not in self._tables:
            self._tables[n] = MarkerTable([self.shape()], [slice(0, n)])
        return self._tables[n]


@dataclass(frozen=True, eq=False)
class FrameMarker(_OnPart):
    """A marker fixed to the frame of a part.

    Attributes:
        name: of the marker.
        place: (3,) in the part's frame.
        axes: (3, 3) in the part's frame, unit vectors in the columns.
    """

    name: str
    place: np.ndarray
    axes: np.ndarray = field(default_factory=_unturned)

    def shape(self) -> MarkerShape:
        """Return its place and axes."""
        return MarkerShape(self.place, self.axes, _NONE, _NONE)


@dataclass(frozen=True, eq=False)
class NodeMarker(_OnPart):
    """A marker on a node of a flexible part: R + A (x + Φ_t q_f + ½ q_fᵀ W q_f), with axes A exp(Φ_r q_f) A₀.

    The node's rotation is taken as a rotation vector, so that the axes stay unit vectors at right angles.

    Attributes:
        name: of the marker.
        place: x (3,) in the part's frame.
        displacements: Φ_t (3, r).
        rotations: Φ_r (3, r); None for a node without rotations, whose axes turn with the part's frame.
        axes: A₀ (3, 3) of the undeformed part, unit vectors in the columns.
        bows: W (3, r, r) of `faying.reduction.second_order`; None for zero.
    """

    name: str
    place: np.ndarray
    displacements: np.ndarray
    rotations: np.ndarray | None
    axes: np.ndarray = field(default_factory=_unturned)
    bows: np.ndarray | None = None

    def shape(self) -> MarkerShape:
        """Return place, axes and rows together, as kernels take them; no rotations are zeros."""
        rotations = _NONE if self.rotations is None else self.rotations
        return MarkerShape(self.place, self.axes, self.displacements, rotations, self.bows)
