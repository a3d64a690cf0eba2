"""Flexible bodies by a floating frame of reference."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from faying.errors import ModelError, there_are
from faying.joints.sampled import ActingJoint
from faying.multibody.inertia import FloatingInertia
from faying.multibody.markers import Marker
from faying.multibody.part import RIGID
from faying.multibody.parts.markers import FrameMarker, NodeMarker
from faying.multibody.parts.moving import MovingPart, require_mass
from faying.reduction.body import ReducedBody


@dataclass(frozen=True, eq=False)
class InterfaceMarker:
    """A requested marker on an interface node.

    Attributes:
        name: of the marker.
        interface: name of the node.
        axes: (3, 3) unit vectors in the columns, along the frame's axes of the undeformed part.
    """

    name: str
    interface: str
    axes: np.ndarray


class FlexiblePart(MovingPart):
    """A reduced body in large motion, with small deformations of its floating frame (thesis section 2.1.1).

    The frame is the body's: of a free body the Buckens frame, which follows the mean motion of its mass, or that of
    its principal axes; of a body clamped to an interface node that node. Its axes are those of the deck. The choice
    alone changes results at second order in the deformation. Without geometric stiffening
    (`faying.reduction.second_order`) it also changes them by the square of spin over vibration frequency, and a blade
    that spins faster than its first bending mode vibrates grows soft and diverges.

    Attributes:
        body: the reduced body.
        origin: (3,) of the frame in the coordinates of the body's nodes.

    Args:
        name: of the part.
        body: with shape integrals.
        damping: (r, r), see `faying.multibody.parts.damping`; zero by default.
        joints: joint forces over the flexible coordinates.
        markers: in addition to "frame" and one at each interface node, with its name and the frame's axes.
        load: (r,) constant generalised force on the flexible coordinates, such as a preload.
        origin: of the frame; the centre of mass, or the node that a body is clamped to, without it.
        inner: markers that only the part's own forces use.

    Raises:
        ModelError: for a body without mass, and when a marker names an interface node that does not exist.
    """

    def __init__(
        self,
        name: str,
        body: ReducedBody,
        *,
        damping: np.ndarray | None = None,
        joints: Iterable[ActingJoint] = (),
        markers: Iterable[InterfaceMarker] = (),
        origin: np.ndarray | None = None,
        load: np.ndarray | None = None,
        inner: Iterable[Marker] = (),
    ) -> None:
        if body.inertia is None:
            raise ModelError(
                f"The file of part {name!r} has no motion of the body as a whole, so no system can move it.",
                "Read its FE model, or a reduced body that Faying exported.",
            )
        require_mass(name, body.total_mass)
        self.body = body
        if origin is None and body.frame:
            origin = body.nodes[body.interface_nodes[body.frame]]
        self.origin = body.inertia.centre_of_mass if origin is None else np.asarray(origin, float)
        r = body.n_coordinates
        size = float(np.linalg.norm(body.nodes - self.origin, axis=1).max())
        super().__init__(
            name,
            FloatingInertia.of_shape_integrals(body.inertia, body.mass, self.origin, body.second_order),
            np.concatenate([np.ones(3), np.full(4, 2.0 * size), body.modal_magnitudes]),
            [*(named := self._all_markers(markers)), *inner],
            body.stiffness,
            np.zeros((r, r)) if damping is None else damping,
            joints,
            load,
        )
        self._named = tuple(marker.name for marker in named)
        self.separable_stiffness[RIGID:] = body.joint_mode_stiffness

    def marker_names(self) -> tuple[str, ...]:
        """Return the names of all markers but inner ones."""
        return self._named

    def _all_markers(self, more: Iterable[InterfaceMarker]) -> list[Marker]:
        plain = [InterfaceMarker(name, name, np.eye(3)) for name in self.body.interfaces]
        return [FrameMarker("frame", np.zeros(3)), *(self._on_interface(m) for m in (*plain, *more))]

    def _on_interface(self, wanted: InterfaceMarker) -> Marker:
        body = self.body
        if wanted.interface not in body.interfaces:
            raise ModelError(
                f"Marker {wanted.name!r} is on an interface node {wanted.interface!r} that is not there.",
                there_are(wanted.interface, body.interfaces),
            )
        place = body.nodes[body.interface_nodes[wanted.interface]] - self.origin
        if wanted.interface == body.frame:
            return FrameMarker(wanted.name, place, wanted.axes)
        rows = body.interfaces[wanted.interface]
        rotations = rows[3:] if len(rows) == 6 else None
        second = body.second_order
        bows = None if second is None else second.nodes[wanted.interface][:3, 6:, 6:]
        return NodeMarker(wanted.name, place, rows[:3], rotations, wanted.axes, bows)
