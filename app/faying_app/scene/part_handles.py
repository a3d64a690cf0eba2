"""Handles by which a part of a system is dragged: arrows along the axes of space, and rings about them."""

from dataclasses import dataclass

import numpy as np

from faying.results.field import Pose
from faying.spatial.rotations import rotation_about, rotation_matrix
from faying_app.scene.scene import Scene

_REACH = 9.0  # design pixels round a handle in which it is taken hold of
_ARROW, _RING = 84.0, 56.0  # design pixels: length and radius as seen from the front
_SHORTEST = 0.25  # of the front view: what is seen shorter cannot be dragged by
_ROUND = 48
STEP = np.radians(15.0)  # of turns while Shift is held


@dataclass(frozen=True, eq=False)
class PartHandle:
    """An arrow or ring.

    Attributes:
        axis: 0 to 2 of space.
        turns: whether it is a ring.
        line: (n, 2) device pixels along which it is drawn; the last one is the tip of an arrow.
    """

    axis: int
    turns: bool
    line: np.ndarray


def selected_part(scene: Scene) -> int | None:
    """Return the number of the part that is selected and drawn as it starts, None without one."""
    content = scene.content
    kind, name = content.highlight.member
    if content.system is None or content.context is not None or kind != "part":
        return None
    return next((i for i, part in enumerate(content.system.parts) if part.name == name), None)


def part_handles(scene: Scene, number: int) -> list[PartHandle]:
    """Return the handles of a part; those that are seen from their ends or edges are left out."""
    sheet, middle = scene.stage.sheet(), _middle(scene, number)
    per_pixel = sheet.scale / sheet.pixels_per_length
    turns, found = np.linspace(0.0, 2.0 * np.pi, _ROUND + 1)[:, None], []
    for axis, way in enumerate(np.eye(3)):
        shown = sheet.pixels(np.array([middle, middle + _ARROW * per_pixel * way]))
        if np.linalg.norm(shown[1] - shown[0]) >= _SHORTEST * _ARROW * sheet.scale:
            found.append(PartHandle(axis, False, shown))
        if abs(way @ sheet.axes[2]) >= _SHORTEST:
            one, two = np.eye(3)[axis - 2], np.eye(3)[axis - 1]
            ring = middle + _RING * per_pixel * (np.cos(turns) * one + np.sin(turns) * two)
            found.append(PartHandle(axis, True, sheet.pixels(ring)))
    return found


def part_handle_at(scene: Scene, number: int, x: float, y: float) -> PartHandle | None:
    """Return the handle of a part at a device pixel, None for none."""
    place, reach = np.array([x, y]), _REACH * scene.text_scale
    away = [(_distance(handle.line, place), handle) for handle in part_handles(scene, number)]
    near = min(away, key=lambda each: each[0], default=None)
    return near[1] if near is not None and near[0] <= reach else None


class PartDrag:
    """A part that is being dragged: by a handle, or by itself in the plane of the picture.

    Args:
        scene: with the system at its start.
        number: of the part.
        handle: None drags in the plane of the picture.
        x, y: device pixel where it was taken hold of.

    Attributes:
        number: of the part.
        moved: what has been done, for people: "x" or "turn about x", and how far; a length or an angle.
    """

    def __init__(self, scene: Scene, number: int, handle: PartHandle | None, x: float, y: float) -> None:
        self.number, self._scene, self._handle = number, scene, handle
        self._start, self._middle = np.array([x, y]), _middle(scene, number)
        self._poses = scene.content.poses
        self.moved: tuple[str, float] = ("", 0.0)
        sheet = scene.stage.sheet()
        self._right, self._up = sheet.axes[0], sheet.axes[1]
        self._per_length = sheet.pixels_per_length
        basis = np.eye(3)
        self._centre, *ends = sheet.pixels(np.array([self._middle, *(self._middle + basis)]))
        self._ways = np.array(ends) - self._centre  # device pixels per length along the axes

    def poses(self, x: float, y: float, *, stepped: bool) -> tuple[Pose, ...]:
        """Return the poses of all parts with the pointer at a device pixel.

        Args:
            x, y: device pixel.
            stepped: whether turns go by whole steps.
        """
        position, turn = self._poses[self.number]
        if self._handle is not None and self._handle.turns:
            angle = self._angle(np.array([x, y])) - self._angle(self._start)
            angle = (angle + np.pi) % (2.0 * np.pi) - np.pi
            angle = STEP * round(angle / STEP) if stepped else angle
            self.moved = f"turn about {'xyz'[self._handle.axis]}", angle
            by = rotation_matrix(rotation_about(angle * np.eye(3)[self._handle.axis]))
            pose = self._middle + by @ (position - self._middle), by @ turn
        else:
            shift = self._shift(np.array([x, y]) - self._start)
            pose = position + shift, turn
        return (*self._poses[: self.number], pose, *self._poses[self.number + 1 :])

    def _shift(self, pixels: np.ndarray) -> np.ndarray:
        if self._handle is None:
            shift = (pixels[0] * self._right + pixels[1] * self._up) / self._per_length
            self.moved = "moved", float(np.linalg.norm(shift))
            return np.asarray(shift)
        way = self._ways[self._handle.axis]
        length = float(pixels @ way / (way @ way))
        self.moved = "xyz"[self._handle.axis], length
        return np.asarray(length * np.eye(3)[self._handle.axis])

    def _angle(self, place: np.ndarray) -> float:
        """Return the angle at which a pixel is seen in the plane of the ring."""
        assert self._handle is not None
        axis = self._handle.axis
        plane = np.column_stack([self._ways[axis - 2], self._ways[axis - 1]])
        one, two = np.linalg.solve(plane, place - self._centre)
        return float(np.arctan2(two, one))


def _middle(scene: Scene, number: int) -> np.ndarray:
    content = scene.content
    assert content.system is not None
    return np.asarray(content.system.middles(content.poses, content.positions)[number])


def _distance(line: np.ndarray, place: np.ndarray) -> float:
    """Return how far a pixel is from a line of pixels."""
    a, along = line[:-1], np.diff(line, axis=0)
    squares = np.maximum(np.einsum("ij,ij->i", along, along), 1e-300)
    share = np.clip(np.einsum("ij,ij->i", place - a, along) / squares, 0.0, 1.0)
    return float(np.linalg.norm(a + share[:, None] * along - place, axis=1).min())
