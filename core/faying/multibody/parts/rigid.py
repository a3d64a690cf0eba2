"""Rigid bodies."""

from collections.abc import Iterable

import numpy as np

from faying.errors import ModelError
from faying.multibody.inertia import FloatingInertia
from faying.multibody.parts.markers import FrameMarker
from faying.multibody.parts.moving import MovingPart, require_mass
from faying.reduction.body import ReducedBody

CENTRE_OF_MASS = "centre of mass"  # name of the marker there


class RigidPart(MovingPart):
    """A rigid body with its frame anywhere on it.

    Args:
        name: of the part.
        mass: total.
        inertia: (3, 3) about the centre of mass along the frame's axes, products of inertia with their minus.
        centre_of_mass: (3,) in the frame.
        markers: fixed to the frame; there are always "frame" and "centre of mass".
        radius: length by which rotations count as displacements; without it √(tr J / m), J about the frame's origin.

    Raises:
        ModelError: for a mass or moments of inertia that no body has.
    """

    def __init__(
        self,
        name: str,
        mass: float,
        inertia: np.ndarray,
        centre_of_mass: np.ndarray | tuple[float, float, float] = (0.0, 0.0, 0.0),
        markers: Iterable[FrameMarker] = (),
        radius: float | None = None,
    ) -> None:
        centre, tensor = np.array(centre_of_mass, float), np.array(inertia, float)
        _check(name, mass, tensor)
        about_origin = tensor + mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
        second = about_origin[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].reshape(6, 1, 1)
        none = np.zeros((0, 0))
        size = radius or float(np.sqrt(np.trace(about_origin) / mass))
        super().__init__(
            name,
            FloatingInertia(mass, mass * centre[:, None], np.zeros((3, 1, 0)), second, none),
            np.concatenate([np.ones(3), np.full(4, 2.0 * size)]),
            [FrameMarker("frame", np.zeros(3)), FrameMarker(CENTRE_OF_MASS, centre), *markers],
            none,
            none,
        )

    @classmethod
    def of_body(cls, name: str, body: ReducedBody, more: Iterable[FrameMarker] = ()) -> "RigidPart":
        """Return a reduced body without its flexibility: frame and markers as in its deck, interface nodes by name."""
        require_mass(name, body.total_mass)
        momentum = body.rigid_mass[:3, 3:]  # −m c̃
        centre = np.array([momentum[1, 2], momentum[2, 0], momentum[0, 1]]) / body.total_mass
        shift = body.total_mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
        markers = [FrameMarker(key, body.nodes[row]) for key, row in body.interface_nodes.items()]
        radius = float(np.linalg.norm(body.nodes, axis=1).max())
        tensor = body.rigid_mass[3:, 3:] - shift
        return cls(name, body.total_mass, tensor, centre, [*more, *markers], radius)


def _check(name: str, mass: float, inertia: np.ndarray) -> None:
    require_mass(name, mass)
    if inertia.shape != (3, 3) or abs(inertia - inertia.T).max() > 1e-9 * abs(inertia).max():
        raise ModelError(
            f"The inertia of part {name!r} is not a symmetric 3 × 3 tensor.",
            "Give moments of inertia about the centre of mass, and each product of inertia twice.",
        )
    principal = np.linalg.eigvalsh(inertia)
    if not principal[0] > 1e-12 * principal[2]:
        raise ModelError(
            f"Part {name!r} has no positive moment of inertia about one of its axes ({principal[0]:g}).",
            "Give it a small one; a mass point or a line without thickness has no motion about itself.",
        )
    if principal[0] + principal[1] < (1.0 - 1e-6) * principal[2]:
        raise ModelError(
            f"No body has the moments of inertia of part {name!r}: "
            f"{principal[2]:g} is more than {principal[0]:g} and {principal[1]:g} together.",
            "Check their unit and that they count from the centre of mass.",
        )
