"""Flexible bodies by a floating frame of reference."""

from collections.abc import Iterable, Mapping

import numpy as np

from faying.joints.interface import JointForce
from faying.multibody.inertia import FloatingInertia
from faying.multibody.markers import Marker
from faying.multibody.parts.markers import FrameMarker, NodeMarker
from faying.multibody.parts.moving import MovingPart
from faying.reduction.body import ReducedBody


class FlexiblePart(MovingPart):
    """A reduced body in large motion, with small deformations of its floating frame (thesis section 2.1.1).

    The frame is the body's: of a free body the Buckens frame, which follows the mean motion of its mass; of a body
    clamped to an interface node that node. Its axes are those of the deck. The choice alone changes results at
    second order in the deformation, and neither has geometric stiffening: far above the frequency of the first
    bending mode a spinning blade grows soft and diverges.

    Attributes:
        body: the reduced body.
        origin: (3,) of the frame in the coordinates of the body's nodes.

    Args:
        name: of the part.
        body: with shape integrals.
        damping: (r, r), see `faying.multibody.parts.damping`; none without it.
        joints: joint forces over the flexible coordinates.
        axes: (3, 3) axes of the markers at interface nodes by name, in the frame; the frame's own otherwise.
        origin: of the frame; the centre of mass, or the node that a body is clamped to, without it.
    """

    def __init__(
        self,
        name: str,
        body: ReducedBody,
        *,
        damping: np.ndarray | None = None,
        joints: Iterable[JointForce] = (),
        axes: Mapping[str, np.ndarray] | None = None,
        origin: np.ndarray | None = None,
    ) -> None:
        if body.inertia is None:
            raise ValueError("the reduced body has no shape integrals")
        self.body = body
        if origin is None and body.frame:
            origin = body.nodes[body.interface_nodes[body.frame]]
        self.origin = body.inertia.centre_of_mass if origin is None else np.asarray(origin, float)
        r = body.n_coordinates
        size = float(np.linalg.norm(body.nodes - self.origin, axis=1).max())
        super().__init__(
            name,
            FloatingInertia.of_shape_integrals(body.inertia, body.mass, self.origin),
            np.concatenate([np.ones(3), np.full(4, 2.0 * size), body.modal_magnitudes]),
            self._interface_markers(axes or {}),
            body.stiffness,
            np.zeros((r, r)) if damping is None else damping,
            joints,
        )

    def _interface_markers(self, axes: Mapping[str, np.ndarray]) -> list[Marker]:
        body, markers = self.body, list[Marker]()
        markers.append(FrameMarker("frame", np.zeros(3)))
        for name, rows in body.interfaces.items():
            place = body.nodes[body.interface_nodes[name]] - self.origin
            own = np.asarray(axes.get(name, np.eye(3)), float)
            if name == body.frame:
                markers.append(FrameMarker(name, place, own))
            else:
                rotations = rows[3:] if len(rows) == 6 else None
                markers.append(NodeMarker(name, place, rows[:3], rotations, own))
        return markers
