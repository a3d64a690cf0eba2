"""Markers on ground, fixed to a part's frame, and on nodes of a flexible part."""

from dataclasses import dataclass, field

import numpy as np

from faying.multibody.marker_kernels import add_curvature, marker
from faying.multibody.markers import MarkerMotion, MarkerShape

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


@dataclass(frozen=True, eq=False)
class FrameMarker:
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

    def motion(self, q: np.ndarray, v: np.ndarray | None = None) -> MarkerMotion:
        """Return R + A x, A A₀ and how they move."""
        speed = np.zeros(len(q)) if v is None else v
        return MarkerMotion(*marker(q, speed, self.place, _NONE, _NONE, self.axes))

    def curvature(self, q: np.ndarray, force: np.ndarray, moment: np.ndarray) -> np.ndarray:
        """Return (n, n) the change of the generalised force of a constant force and moment."""
        return _curvature(q, self.shape(), force, moment)


@dataclass(frozen=True, eq=False)
class NodeMarker:
    """A marker on a node of a flexible part: R + A (x + Φ_t q_f), with axes A exp(Φ_r q_f) A₀.

    The node's rotation is taken as a rotation vector, so that the axes stay unit vectors at right angles.

    Attributes:
        name: of the marker.
        place: x (3,) in the part's frame.
        displacements: Φ_t (3, r).
        rotations: Φ_r (3, r); None for a node without rotations, whose axes turn with the part's frame.
        axes: A₀ (3, 3) of the undeformed part, unit vectors in the columns.
    """

    name: str
    place: np.ndarray
    displacements: np.ndarray
    rotations: np.ndarray | None
    axes: np.ndarray = field(default_factory=_unturned)

    def shape(self) -> MarkerShape:
        """Return place, axes and rows together, as kernels take them; no rotations are zeros."""
        rotations = _NONE if self.rotations is None else self.rotations
        return MarkerShape(self.place, self.axes, self.displacements, rotations)

    def motion(self, q: np.ndarray, v: np.ndarray | None = None) -> MarkerMotion:
        """Return where it is and how it moves."""
        speed, shape = np.zeros(len(q)) if v is None else v, self.shape()
        return MarkerMotion(*marker(q, speed, shape.place, shape.displacements, shape.rotations, shape.axes))

    def curvature(self, q: np.ndarray, force: np.ndarray, moment: np.ndarray) -> np.ndarray:
        """Return (n, n) the change of the generalised force of a constant force and moment."""
        return _curvature(q, self.shape(), force, moment)


def _curvature(q: np.ndarray, shape: MarkerShape, force: np.ndarray, moment: np.ndarray) -> np.ndarray:
    change = np.zeros((len(q), len(q)))
    add_curvature(change, 0, q, shape.place, shape.displacements, shape.rotations, force, moment)
    return change
