"""Handles of sections in the view: arrows at the middle of each plane, by which it is dragged along its normal."""

import numpy as np

from faying_app.scene.cutting import PlaneInSpace, planes_in_space
from faying_app.scene.scene import Scene

_REACH = 14.0  # design pixels round a handle in which it is taken hold of
_LENGTH = 26.0  # of its arrows, as far as the plane is not looked at from the front
_SHORTEST = 0.12  # of the length of a normal that is seen: one that points at the camera cannot be dragged


def handles_of(scene: Scene) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return (2,) device pixels of the middle of each handle and (2,) the way of its arrow; a zero way for none."""
    content = scene.content
    if not scene.stage.is_shown("section"):
        return []
    sheet = scene.stage.sheet()
    found = []
    for plane in planes_in_space(content):
        ways = sheet.pixels(np.array([plane.origin, plane.origin + content.size * plane.normal]))
        way = (ways[1] - ways[0]) / max(content.size * sheet.pixels_per_length, 1e-300)
        seen = float(np.linalg.norm(way)) >= _SHORTEST
        found.append((ways[0], _LENGTH * sheet.scale * way if seen else np.zeros(2)))
    return found


def handle_at(scene: Scene, x: float, y: float) -> int | None:
    """Return the number of the section whose handle is at a device pixel, None for none."""
    reach = _REACH * scene.text_scale
    for number, (middle, way) in enumerate(handles_of(scene)):
        away = np.array([x, y]) - middle
        length = float(np.linalg.norm(way))
        if not length:
            continue
        along = float(np.clip(away @ way / length, -length, length))
        if float(np.linalg.norm(away - along * way / length)) <= reach:
            return number
    return None


class Drag:
    """A handle that is being dragged.

    Args:
        scene: with the section.
        number: of the section.
        x, y: device pixel where it was taken hold of.
    """

    def __init__(self, scene: Scene, number: int, x: float, y: float) -> None:
        plane: PlaneInSpace = planes_in_space(scene.content)[number]
        section = scene.content.display.sections[number]
        self.number, self._start, self._from = number, np.array([x, y]), section.at
        self._axis = float(np.sum(section.normal))  # +1 or -1: planes are across axes
        pixels = scene.stage.sheet().pixels(
            np.array([plane.origin, plane.origin + plane.length * plane.normal])
        )
        self._way = pixels[1] - pixels[0]

    def share(self, x: float, y: float) -> float:
        """Return the share of the extent along the axis at which the plane is with the pointer at a device pixel."""
        moved = (np.array([x, y]) - self._start) @ self._way / float(self._way @ self._way)
        at = float(np.clip(self._from - moved, 0.0, 1.0))
        return at if self._axis > 0 else 1.0 - at
