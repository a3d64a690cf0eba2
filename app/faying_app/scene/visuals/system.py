"""A multibody system: rigid parts as boxes, markers, ground, and symbols of constraints."""

from collections.abc import Callable

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor

from faying_app.scene.actors import (
    lift_lines,
    line_actor,
    paint,
    paint_values,
    show,
    surface_actor,
)
from faying_app.scene.colours import SceneTheme, group_table
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import colour_cells, line_data, move_points
from faying_app.scene.shapes import GROUND, constraint_lines
from faying_app.scene.systems import ShownMember
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.visuals.body import GHOST_OPACITY

Lines = Callable[[str, np.ndarray, np.ndarray, float], np.ndarray]

# Largest sizes of symbols: parts of the system's diagonal, and design pixels of the first of them.
SYMBOL, TRIAD, ARROW = 0.03, 0.035, 0.1
_PIXELS = 28.0
_THROUGH = 0.3  # opacity of rigid parts beside parts with a mesh
_FACES = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
BOX_EDGES = np.array(
    [[0, 1], [1, 3], [3, 2], [2, 0], [4, 5], [5, 7], [7, 6], [6, 4], [0, 4], [1, 5], [2, 6], [3, 7]]
)


class Pieces:
    """Straight pieces (k, 2, 3) as one data set that can be moved."""

    def __init__(self, pieces: np.ndarray) -> None:
        self.drawn = line_data(pieces.reshape(-1, 3), np.arange(2 * len(pieces)).reshape(-1, 2))

    def place(self, pieces: np.ndarray) -> None:
        """Move them."""
        move_points(self.drawn, pieces.reshape(-1, 3))


@visuals.register("rigid_parts")
class RigidPartsVisual(Visual):
    """Draws parts without an FE model as boxes of their inertia, with arms to their markers.

    `boxes` has six faces for each such part, in their order.
    """

    title = "Rigid parts"
    reads = frozenset({"model"})

    def make(self) -> None:
        """Make boxes, their edges, and arms."""
        self.boxes: vtkActor = self.add(surface_actor())
        self.boxes.SetPickable(True)
        self._edges = self.add(line_actor())
        self._arms = self.add(line_actor(3.0))
        self._meshes: tuple[pv.PolyData, pv.PolyData, Pieces] | None = None

    def build(self, content: SceneContent) -> None:
        """Make the boxes of the parts that there are."""
        self._meshes = None
        if content.system is None:
            return
        corners = content.system.corners(content.poses)
        first = 8 * np.arange(len(corners) // 8)[:, None, None]
        boxes = pv.PolyData.from_regular_faces(np.array(corners, np.float32), (first + _FACES).reshape(-1, 4))
        edges = line_data(corners, (first + BOX_EDGES).reshape(-1, 2))
        self._meshes = (boxes, edges, Pieces(_arms(content)))
        arms = self._meshes[2].drawn
        for actor, drawn in zip((self.boxes, self._edges, self._arms), (boxes, edges, arms), strict=True):
            show(actor, drawn)
        boxed = [i for i, part in enumerate(content.system.parts) if part.box is not None]
        colour_cells(boxes, np.repeat(boxed, len(_FACES)))
        colour_cells(arms, np.array([i for i in boxed for m in content.system.markers if m.part == i]))
        self._colour(content)

    def _colour(self, content: SceneContent) -> None:
        table = group_table(len(content.system.parts) if content.system is not None else 0, self.theme)
        for actor in (self.boxes, self._arms):
            paint_values(actor, table, cells=True)

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        if self._meshes is None or content.system is None:
            return
        corners = content.system.corners(content.poses)
        for drawn in self._meshes[:2]:
            move_points(drawn, corners)
        self._meshes[2].place(_arms(content))

    def refresh(self, content: SceneContent) -> None:
        """Draw the boxes in the colours of their parts; next to parts with a mesh, one sees through them."""
        super().refresh(content)
        self._colour(content)
        ghosts = content.body_look != "solid"
        through = ghosts or (content.skin is not None and content.skin.n_facets > 0)
        opacity = GHOST_OPACITY if ghosts else _THROUGH if through else 1.0
        self.boxes.GetProperty().SetOpacity(opacity)
        paint(self._edges, self.theme.body_edge, 0.55 if through else 1.0)
        self.boxes.GetProperty().SetBackfaceCulling(through)

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Lift the edges out of the faces."""
        lift_lines(self._edges, sheet.depth_of_pixel)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there are such parts."""
        return content.system is not None and any(part.box is not None for part in content.system.parts)


@visuals.register("system")
class SystemVisual(Visual):
    """Draws markers as triads, ground as plates, and signs of constraints; all follow the frame."""

    title = "Markers and constraints"
    reads = frozenset({"model"})

    def make(self) -> None:
        """Make three actors for the axes, and lines for ground and constraints."""
        self._axes = [self.add(line_actor(2.0, in_front=True)) for _ in range(3)]
        self._ties = self.add(line_actor(2.0, in_front=True))
        self._ground = self.add(line_actor(2.0, in_front=True))
        self._lines: list[Pieces] = []
        self._share = 1.0

    def build(self, content: SceneContent) -> None:
        """Lay out the symbols."""
        self._lines = []
        if content.system is None:
            return
        for actor, pieces in zip(self._drawings(), _pieces(content, self._share), strict=True):
            lines = Pieces(pieces)
            show(actor, lines.drawn)
            self._lines.append(lines)

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        if self._lines and content.system is not None:
            self._place(content)

    def _place(self, content: SceneContent) -> None:
        for lines, pieces in zip(self._lines, _pieces(content, self._share), strict=True):
            lines.place(pieces)

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Keep the symbols small however near one is."""
        share = symbol_share(content, sheet)
        if share != self._share:
            self._share = share
            if self._lines:
                self._place(content)

    def _drawings(self) -> list[vtkActor]:
        return [*self._axes, self._ground, self._ties]

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for actor, colour in zip(self._axes, theme.axes, strict=True):
            paint(actor, colour)
        paint(self._ties, theme.interface)
        paint(self._ground, theme.support)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether a system is shown."""
        return content.system is not None


def _arms(content: SceneContent) -> np.ndarray:
    """Return pieces (k, 2, 3) from the middle of each rigid part to its markers."""
    system = content.system
    assert system is not None
    places, _ = system.marker_poses(content.poses, content.positions)
    pieces = []
    for number, (part, (position, turn)) in enumerate(zip(system.parts, content.poses, strict=True)):
        if part.box is not None:
            middle = position + turn @ part.box.mean(axis=0)
            pieces += [[middle, places[i]] for i, m in enumerate(system.markers) if m.part == number]
    return np.array(pieces).reshape(-1, 2, 3)


def symbol_share(content: SceneContent, sheet: Sheet) -> float:
    """Return the share (0 to 1) of their largest size at which symbols are drawn, so that a near one is small."""
    largest = SYMBOL * content.size * sheet.pixels_per_length
    return min(1.0, _PIXELS * sheet.scale / largest) if largest > 0.0 else 1.0


def _pieces(content: SceneContent, share: float) -> list[np.ndarray]:
    """Return the pieces (k, 2, 3) of x, y and z axes, ground, and constraints.

    Args:
        content: with a system.
        share: of their largest size.
    """
    system = content.system
    assert system is not None
    places, axes = system.marker_poses(content.poses, content.positions)
    arms = share * TRIAD * content.size * axes
    triads = [np.stack([places, places + arms[:, :, axis]], axis=1) for axis in range(3)]
    size = share * SYMBOL * content.size
    still = [i for i, marker in enumerate(system.markers) if marker.part < 0]
    plates = [places[i] + size * GROUND @ axes[i].T for i in still]
    ties = [member_lines(constraint_lines, m, places, axes, size) for m in system.constraints]
    return [*triads, joined(plates), joined(ties)]


def member_lines(
    lines: Lines, member: ShownMember, places: np.ndarray, axes: np.ndarray, size: float
) -> np.ndarray:
    """Return the pieces (k, 2, 3) of a constraint or force: its sign, and its curves in their true size.

    Args:
        lines: `constraint_lines` or `force_lines`.
        member: it.
        places, axes: (m, 3) and (m, 3, 3) of all markers.
        size: of its sign.
    """
    sign = lines(member.kind, places[list(member.markers)], axes[member.markers[0]], size)
    curves = [places[k] + points @ axes[k].T for k, points in member.outlines]
    return joined([sign, *(np.stack([curve[:-1], curve[1:]], axis=1) for curve in curves)])


def joined(pieces: list[np.ndarray]) -> np.ndarray:
    """Return pieces (k, 2, 3) as one array."""
    return np.concatenate(pieces) if pieces else np.zeros((0, 2, 3))


def direction(member: ShownMember, vector: tuple[float, float, float], axes: np.ndarray) -> np.ndarray:
    """Return the unit vector (3,) of a force or moment in space."""
    found = np.array(vector, float) / np.linalg.norm(vector)
    return np.asarray(axes[member.markers[0]] @ found if member.following else found)
