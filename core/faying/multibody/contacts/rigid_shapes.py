"""Surfaces of rigid parts by formula: planes, spheres, cylinders."""

from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeGuard

import numpy as np

from faying.multibody.contacts.gaps import SurfaceGaps
from faying.multibody.contacts.motion_kernels import gaps_within
from faying.multibody.contacts.surface import PartSurface

_NO_NODES = np.zeros((0, 3, 0))


class RigidShape(Protocol):
    """A surface whose distance from any point is a formula, in its part's frame.

    Attributes:
        displacements: (0, 3, 0), since it has no nodes.
    """

    displacements: ClassVar[np.ndarray]

    @property
    def thickness(self) -> float:
        """How far it is from one side through the solid to the other; infinity without an other side."""

    @property
    def curvatures(self) -> tuple[float, float]:
        """Its principal curvatures, negative where it is hollow."""

    def distances(self, places: np.ndarray) -> np.ndarray:
        """Return (n,) distances of points (n, 3) from the surface, negative inside."""

    def gaps(self, places: np.ndarray, reach: float) -> SurfaceGaps:
        """Return the gaps of all points (n, 3) within reach of the surface."""


@dataclass(frozen=True, eq=False)
class RigidPlane:
    """A half space.

    Attributes:
        point: (3,) on its surface.
        normal: (3,) of length one, outward.
    """

    point: np.ndarray
    normal: np.ndarray
    displacements: ClassVar[np.ndarray] = _NO_NODES
    thickness: ClassVar[float] = np.inf
    curvatures: ClassVar[tuple[float, float]] = (0.0, 0.0)

    def distances(self, places: np.ndarray) -> np.ndarray:
        """Return (n,) the heights over the plane."""
        return np.asarray((places - self.point) @ self.normal)

    def gaps(self, places: np.ndarray, reach: float) -> SurfaceGaps:
        """Return gaps that are heights over the plane."""
        normals = np.empty_like(places)
        normals[:] = self.normal
        # Along the normal is no direction on the plane: any one will do.
        return _gaps(self.distances(places), normals, np.zeros((len(places), 2)), normals, reach)


@dataclass(frozen=True, eq=False)
class RigidSphere:
    """A ball, or a hole of that form.

    Attributes:
        centre: (3,).
        radius: of the surface.
        hollow: whether the points are to stay inside.
    """

    centre: np.ndarray
    radius: float
    hollow: bool = False
    displacements: ClassVar[np.ndarray] = _NO_NODES

    @property
    def thickness(self) -> float:
        """The diameter; infinity of a hole."""
        return np.inf if self.hollow else 2.0 * self.radius

    @property
    def curvatures(self) -> tuple[float, float]:
        """One over the radius, twice."""
        curvature = (-1.0 if self.hollow else 1.0) / self.radius
        return curvature, curvature

    def distances(self, places: np.ndarray) -> np.ndarray:
        """Return (n,) distances from the surface."""
        return _round_distances(places - self.centre, self.radius, self.hollow)

    def gaps(self, places: np.ndarray, reach: float) -> SurfaceGaps:
        """Return gaps that are distances from the surface; the centre itself has none."""
        return _round_gaps(places - self.centre, np.zeros(3), self.radius, self.hollow, reach)


@dataclass(frozen=True, eq=False)
class RigidCylinder:
    """A round bar without ends, or a bore.

    Attributes:
        point: (3,) on its axis.
        axis: (3,) of length one.
        radius: of the surface.
        hollow: whether the points are to stay inside.
    """

    point: np.ndarray
    axis: np.ndarray
    radius: float
    hollow: bool = False
    displacements: ClassVar[np.ndarray] = _NO_NODES

    @property
    def thickness(self) -> float:
        """The diameter; infinity of a bore."""
        return np.inf if self.hollow else 2.0 * self.radius

    @property
    def curvatures(self) -> tuple[float, float]:
        """One over the radius, and zero along the axis."""
        return (-1.0 if self.hollow else 1.0) / self.radius, 0.0

    def distances(self, places: np.ndarray) -> np.ndarray:
        """Return (n,) distances from the surface."""
        return _round_distances(self._across(places), self.radius, self.hollow)

    def gaps(self, places: np.ndarray, reach: float) -> SurfaceGaps:
        """Return gaps that are distances from the surface; points on the axis have none."""
        return _round_gaps(self._across(places), self.axis, self.radius, self.hollow, reach)

    def _across(self, places: np.ndarray) -> np.ndarray:
        arms = places - self.point
        return np.asarray(arms - np.outer(arms @ self.axis, self.axis))


def is_ball(surface: object) -> TypeGuard[RigidSphere]:
    """Return whether a surface is a ball, which touches at one point."""
    return isinstance(surface, RigidSphere) and not surface.hollow


def can_be_slave(surface: object) -> bool:
    """Return whether contact can be evaluated at points of a surface: at nodes of a mesh, or at those of a ball."""
    return is_ball(surface) or isinstance(surface, PartSurface)


def _round_distances(arms: np.ndarray, radius: float, hollow: bool) -> np.ndarray:
    return np.asarray((-1.0 if hollow else 1.0) * (np.linalg.norm(arms, axis=1) - radius))


def _round_gaps(
    arms: np.ndarray, straight: np.ndarray, radius: float, hollow: bool, reach: float
) -> SurfaceGaps:
    """Return gaps of points at arms (n, 3) from a centre or an axis, along which nothing is curved."""
    lengths = np.linalg.norm(arms, axis=1)
    sign = -1.0 if hollow else 1.0
    known = lengths > 1e-12 * radius
    out = arms / np.where(known, lengths, 1.0)[:, None]
    # Second derivatives of a distance: 1/ρ across the normal, in the directions that are curved.
    bent = sign / np.where(known, lengths, 1.0)
    along = np.empty_like(arms)
    along[:] = straight
    curved = np.column_stack([bent, np.zeros_like(bent) if straight.any() else bent])
    distances = np.where(known, sign * (lengths - radius), np.inf)
    return _gaps(distances, sign * out, curved, along, reach)


def _gaps(
    distances: np.ndarray, normals: np.ndarray, curved: np.ndarray, along: np.ndarray, reach: float
) -> SurfaceGaps:
    """Return gaps with second derivatives `curved` (n, 2) in two directions at right angles to the normals.

    The second direction is `along`, where that is one.
    """
    near, gaps, own, directions, hessians = gaps_within(distances, normals, curved, along, reach)
    n = len(near)
    return SurfaceGaps(
        near, gaps, own, np.zeros((n, 0), np.int64), np.zeros((n, 0)), np.zeros((n, 2, 0)), directions,
        hessians, np.full(n, -1), np.zeros((n, 2)),
    )  # fmt: skip
