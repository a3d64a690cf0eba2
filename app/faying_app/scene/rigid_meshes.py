"""Surfaces of rigid parts and of ground as triangles that can be drawn."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyvista as pv

from faying.errors import FayingError
from faying.multibody.part_kinds import PartSpec
from faying.multibody.part_kinds.rigid import RigidPartSpec, RigidShapeSpec
from faying.multibody.part_shapes import Solid
from faying.multibody.rigid_surfaces import RigidSurface
from faying.multibody.rigid_surfaces.cylinder import CylinderSurface
from faying.multibody.rigid_surfaces.plane import PlaneSurface
from faying.multibody.rigid_surfaces.sphere import SphereSurface
from faying.multibody.rigid_surfaces.surface_mesh import MeshSurface
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.project.file_names import with_absolute_files
from faying.results.field import Pose
from faying_app.scene.systems import AT_REST, ShownSurface

_SAME = 1e-7  # share of the size of a surface within which points are one
_ROUND = 48  # corners of a circle
_BEYOND, _ALONG = 0.6, 0.3  # of the system's size: how far planes and cylinders are drawn from its middle


def is_shape(spec: RigidSurface) -> bool:
    """Return whether a surface shows what its part looks like: a ball, a bar, a mesh, but no endless plane."""
    return not isinstance(spec, PlaneSurface)


def looks_of(part: PartSpec, base: Path) -> Solid | None:
    """Return the solid that a part is drawn as, in its frame; None without, or when it cannot be made.

    Args:
        part: of a system.
        base: folder from which relative names of files count.
    """
    with suppress(FayingError):  # a finding says what is wrong with it
        if isinstance(part, RigidPartSpec | RigidShapeSpec):
            return with_absolute_files(part, base).shown_solid()
    return None


def rigid_surfaces_of(
    system: SystemSpec, starts: tuple[Pose, ...], points: np.ndarray, base: Path
) -> Iterator[ShownSurface]:
    """Yield the shapes of rigid parts, and all surfaces of rigid parts and of ground.

    Those whose file cannot be read are left out.

    Args:
        system: the decisions.
        starts: poses of the parts where the system starts.
        points: (n, 3) where the rest of the system is then; what has no end is drawn as large as that.
        base: folder from which relative names of files count.
    """
    groups = [(-1, GROUND, AT_REST, system.ground_surfaces)]
    groups += [
        (i, part.name, pose, getattr(part, "contact_surfaces", ()))
        for i, (part, pose) in enumerate(zip(system.parts, starts, strict=True))
    ]
    seen = [points]
    for _, _, (position, turn), surfaces in groups:
        for spec in surfaces:
            if isinstance(spec, SphereSurface):
                centre = position + turn @ np.array(spec.centre)
                seen.append(centre + spec.radius * np.array([[-1.0], [1.0]]))
            elif isinstance(spec, CylinderSurface):
                seen.append(position + turn @ np.array(spec.point) + spec.radius * np.array([[-1.0], [1.0]]))
    places = np.concatenate(seen)
    middle = 0.5 * (places.min(axis=0) + places.max(axis=0)) if len(places) else np.zeros(3)
    size = float(np.linalg.norm(np.ptp(places, axis=0))) if len(places) else 0.0
    for number, part in enumerate(system.parts):
        if (shape := looks_of(part, base)) is not None:
            yield ShownSurface(f"{part.name}.", number, *welded(shape.points, shape.triangles), True, True)
    for number, owner, (position, turn), surfaces in groups:
        for spec in surfaces:
            # Endless bars of ground would hide what lies in them; those of parts are parts.
            endless = isinstance(spec, CylinderSurface) and owner == GROUND
            solid = is_shape(spec) and not endless and not getattr(spec, "hollow", False)
            made = _made(spec, turn.T @ (middle - position), size or 1.0, base, closed=solid)
            if made is not None:
                nodes, triangles = welded(*made)
                yield ShownSurface(f"{owner}.{spec.name}", number, nodes, triangles, solid, is_shape(spec))


def welded(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return points and triangles with one point at each place, so that neighbouring triangles share their corners."""
    size = float(np.abs(points).max(initial=0.0)) or 1.0
    places = np.round(points / (_SAME * size))
    _, first, place = np.unique(places, axis=0, return_index=True, return_inverse=True)
    found = place.ravel()[triangles]
    flat = (found[:, 0] == found[:, 1]) | (found[:, 1] == found[:, 2]) | (found[:, 2] == found[:, 0])
    return points[first], found[~flat]


def _made(
    spec: RigidSurface, middle: np.ndarray, size: float, base: Path, *, closed: bool
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return points and triangles in the part's frame; None for a file that cannot be read, which a finding tells."""
    match spec:
        case SphereSurface():
            drawn = pv.Sphere(
                radius=spec.radius, center=spec.centre, theta_resolution=_ROUND, phi_resolution=_ROUND // 2
            )
        case PlaneSurface():
            normal = np.array(spec.normal) / np.linalg.norm(spec.normal)
            centre = middle - ((middle - np.array(spec.point)) @ normal) * normal
            side = 2 * _BEYOND * size
            drawn = pv.Plane(
                center=centre, direction=normal, i_size=side, j_size=side, i_resolution=1, j_resolution=1
            )
        case CylinderSurface():
            axis = np.array(spec.axis) / np.linalg.norm(spec.axis)
            centre = np.array(spec.point) + ((middle - np.array(spec.point)) @ axis) * axis
            drawn = pv.Cylinder(
                center=centre, direction=axis, radius=spec.radius, height=2 * _ALONG * size, resolution=_ROUND,
                capping=closed,
            )  # fmt: skip
        case MeshSurface():
            try:
                surface, nodes = with_absolute_files(spec, base).mesh()
            except FayingError:
                return None
            return nodes, surface.blocks[0].connectivity
        case _:
            return None
    triangles = drawn.triangulate()
    return np.asarray(triangles.points, float), triangles.regular_faces
