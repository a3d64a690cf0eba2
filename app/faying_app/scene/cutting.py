"""Sections as planes in space: where they stand, which side they leave out, and where they are taken hold of."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faying.errors import ModelError
from faying.exporters.cuts import Axis, Cut
from faying.units import UnitSystemName, unit_text
from faying_app.scene import camera as cameras
from faying_app.scene.content import CuttingPlane, SceneContent

NEAR_SIDE: dict[Axis, float] = {"x": 1.0, "y": -1.0, "z": 1.0}
"""The side of each axis from which the isometric view looks."""
_HEAD_ON = 0.05  # share of a normal along the line of sight below which neither side is the near one


@dataclass(frozen=True, eq=False)
class PlaneInSpace:
    """A section: a point (3,), the unit normal (3,) towards what stays, and the extent of the model along it."""

    origin: np.ndarray
    normal: np.ndarray
    length: float


def plane_along(axis: Axis, at: float, side: float) -> CuttingPlane:
    """Return the plane across an axis at a share of the extent along it; the side (+1 or −1) is cut away."""
    x, y, z = (side * (axis == each) for each in "xyz")
    return CuttingPlane((x, y, z), at if side > 0 else 1.0 - at)


def extent_of(content: SceneContent) -> np.ndarray | None:
    """Return (2, 3) the least and largest coordinates of the model at the start; None where there is nothing."""
    points = _points(content, moved=False)
    return None if not len(points) else np.array([points.min(axis=0), points.max(axis=0)])


def planes_of(
    cuts: Sequence[Cut], content: SceneContent, view: str, units: UnitSystemName
) -> tuple[CuttingPlane, ...]:
    """Return sections as planes.

    Args:
        cuts: as they were decided.
        content: what is cut.
        view: "iso", "+x", …: from where one looks, which says what is left out where a cut does not.
        units: for messages.

    Raises:
        ModelError: when one lies outside of the model, or there is nothing to be cut.
    """
    extent = extent_of(content) if cuts else None
    if extent is None:
        if cuts:
            raise ModelError("There is nothing here that a section could cut.", "Leave the section out.")
        return ()
    towards = cameras.towards(view)
    found = []
    for cut in cuts:
        column = "xyz".index(cut.axis)
        (low, high), near = extent[:, column], towards[column]
        if not cut.is_share and not low <= cut.at <= high:
            unit = unit_text("length", units)
            raise ModelError(
                f"A section at {cut.axis} = {cut.at:.6g} {unit} cuts nothing.",
                f"The model lies between {low:.6g} and {high:.6g} {unit}.",
            )
        at = cut.at if cut.is_share else (cut.at - low) / max(high - low, 1e-300)
        if cut.away:
            side = 1.0 if cut.away == "+" else -1.0
        else:
            side = float(np.sign(near)) if abs(near) > _HEAD_ON else NEAR_SIDE[cut.axis]
        found.append(plane_along(cut.axis, at, side))
    return tuple(found)


def plane_in_space(section: CuttingPlane, points: np.ndarray) -> PlaneInSpace:
    """Return where a section through points (n, 3) stands."""
    normal = -np.asarray(section.normal, float)
    along = points @ normal
    low, high = float(along.min()), float(along.max())
    # A section at the very end would leave nothing, or flicker on the end face.
    place = high - np.clip(section.at, 0.001, 0.999) * (high - low)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
    return PlaneInSpace(middle + (place - middle @ normal) * normal, normal, high - low)


def planes_in_space(content: SceneContent) -> tuple[PlaneInSpace, ...]:
    """Return the sections of what is shown: they follow the deformation of a body, and are fixed in a system."""
    if not content.display.sections:
        return ()
    points = _points(content, moved=content.system is None)
    return tuple(plane_in_space(each, points) for each in content.display.sections) if len(points) else ()


def _points(content: SceneContent, *, moved: bool) -> np.ndarray:
    if content.model is None:
        return np.zeros((0, 3))
    nodes = content.positions if moved else content.model.nodes
    if content.skin is not None:
        nodes = nodes[content.skin.nodes]
    if content.system is not None:
        nodes = np.concatenate([nodes, content.system.points(content.system.starts, content.model.nodes)])
    return nodes
