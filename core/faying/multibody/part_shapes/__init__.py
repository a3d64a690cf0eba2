"""Shapes of rigid parts, which determine mass, inertia and appearance. A member is one file."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from faying.multibody.contacts.round_face import Roller
from faying.multibody.rigid_surfaces import RigidSurface
from faying.params import Member
from faying.registry import Registry

part_shapes: Registry[type["SolidShape"]] = Registry("shape", __name__)

_ROUND = 48  # corners of a drawn circle


@dataclass(frozen=True, eq=False)
class Solid:
    """A solid of unit density in the part's frame.

    Attributes:
        volume: of the solid.
        centre: (3,) its centre of mass.
        inertia: (3, 3) inertia tensor about the centre for unit density, along the frame's axes.
        points, triangles: (n, 3) and (m, 3), its outside as it is drawn.
    """

    volume: float
    centre: np.ndarray
    inertia: np.ndarray
    points: np.ndarray
    triangles: np.ndarray

    def turned(self, axes: np.ndarray, position: np.ndarray) -> "Solid":
        """Return the solid with its own axes along the columns of `axes` (3, 3), its origin at `position` (3,)."""
        return Solid(
            self.volume, position + axes @ self.centre, axes @ self.inertia @ axes.T,
            position + self.points @ axes.T, self.triangles,
        )  # fmt: skip


class SolidShape(Member):
    """A solid at its place in the part's frame."""

    @abstractmethod
    def solid(self, markers: Mapping[str, np.ndarray]) -> Solid:
        """Return the solid.

        Args:
            markers: (3,) places of the part's markers in its frame, by "part.marker".

        Raises:
            FayingError: when it has no volume, or refers to something that does not exist.
        """

    def contact_surface(self, name: str) -> RigidSurface | None:
        """Return its outside as a surface by formula called `name`; None where its triangles are that surface."""
        return None

    def roller(self) -> Roller | None:
        """Return its round face, on which it rolls; None where its triangles are all of its outside."""
        return None


def brick(x: float, y: float, z: float) -> Solid:
    """Return a brick about its middle, with edges along the axes."""
    volume = x * y * z
    corners = np.array([[i, j, k] for k in (-0.5, 0.5) for j in (-0.5, 0.5) for i in (-0.5, 0.5)]) * [x, y, z]
    sides = np.array(
        [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4],
         [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]]
    )  # fmt: skip
    tensor = volume / 12.0 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])
    return Solid(volume, np.zeros(3), tensor, corners, sides)


def tube(radius: float, bore: float, length: float) -> Solid:
    """Return a cylinder centred at the origin, along z, with a bore of a smaller radius or without one (0)."""
    volume = np.pi * (radius**2 - bore**2) * length
    across = volume * (3.0 * (radius**2 + bore**2) + length**2) / 12.0
    along = 0.5 * volume * (radius**2 + bore**2)
    angles = 2.0 * np.pi * np.arange(_ROUND) / _ROUND
    ring = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(_ROUND)])
    up = np.array([0.0, 0.0, 0.5 * length])
    # Rings: outside below and above, inside below and above; without a bore the inner ones are the middles.
    points = np.concatenate([radius * ring - up, radius * ring + up, bore * ring - up, bore * ring + up])
    here, n = np.arange(_ROUND), _ROUND
    there = np.roll(here, -1)

    def band(first: int, second: int) -> np.ndarray:
        a, b = here + first * n, there + first * n
        c, d = there + second * n, here + second * n
        return np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])

    return Solid(
        volume, np.zeros(3), np.diag([across, across, along]), points,
        np.concatenate([band(0, 1), band(1, 3), band(3, 2), band(2, 0)]),
    )  # fmt: skip


def axes_along(direction: np.ndarray, beside: np.ndarray | None = None) -> np.ndarray:
    """Return (3, 3) right-handed unit vectors in columns, z along a direction, x as near to another one as can be."""
    z = direction / np.linalg.norm(direction)
    wish = np.eye(3)[np.argmin(np.abs(z))] if beside is None else beside
    x = wish - (wish @ z) * z
    if np.linalg.norm(x) < 1e-9 * np.linalg.norm(wish):
        return axes_along(direction)
    x = x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])
