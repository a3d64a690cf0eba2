"""Visuals: the things that a scene is made of. A member is one file with a class registered under its kind.

A visual makes its actors once, when the scene is made; later on only their data change.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkActor2D, vtkProp, vtkProperty, vtkRenderer

from faying.registry import Registry
from faying_app.scene.camera import to_pixels
from faying_app.scene.colours import LIGHT, SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.labels import Box
from faying_app.scene.writing import Writing

# Triangles or lines that a processor draws quickly enough while things move; larger meshes are drawn coarsely then.
MOST_WHILE_MOVING = 16_000
NO_NODES = np.zeros(0, np.int64)

visuals: Registry[type["Visual"]] = Registry("visual", __name__)


@dataclass(frozen=True)
class Sheet:
    """The plane of the picture, for what is written over the scene.

    Attributes:
        width, height: of the view in device pixels.
        scale: device pixels per design pixel; sizes of writing are multiples of it.
        matrix: (4, 4) from the world to view coordinates.
        axes: (3, 3) unit vectors in rows: right, up, towards the camera.
        pixels_per_length: how large a length of the model is drawn.
        depth: between the nearest and the farthest that is drawn.
        plates: boxes of what is laid over the picture at its borders; known to visuals that `keep_clear`.
    """

    width: int
    height: int
    scale: float
    matrix: np.ndarray
    axes: np.ndarray
    pixels_per_length: float
    depth: float = 1.0
    plates: list[Box] = field(default_factory=list)

    @property
    def depth_of_pixel(self) -> float:
        """Steps of the depth buffer, as VTK counts offsets, over a length that is drawn as one design pixel."""
        return 65536.0 * self.scale / max(self.pixels_per_length * self.depth, 1e-300)

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """Return pixels (n, 2), counted from the lower left, of points (n, 3)."""
        return to_pixels(self.matrix, points, self.width, self.height)

    def depths(self, points: np.ndarray) -> np.ndarray:
        """Return depths (n,), 0 near and 1 far, of points (n, 3), as VTK's picture has them."""
        seen = np.column_stack([points, np.ones(len(points))]) @ self.matrix.T
        return np.asarray((seen[:, 2] / seen[:, 3] + 1.0) / 2.0)


class Visual:
    """One kind of thing in the scene; owns its actors.

    Attributes:
        title: for a menu.
        reads: names of the attributes of `SceneContent` after whose change it builds its data again; "model" stands for
            its skin and system, too.
        hidden_at_first: whether it has to be switched on.
        keeps_clear: whether what it writes keeps clear of the plates of others.
        plates: boxes that its last writing covers at the borders of the picture.
        written: all that it writes.
    """

    title: ClassVar[str]
    reads: ClassVar[frozenset[str]]
    hidden_at_first: ClassVar[bool] = False
    keeps_clear: ClassVar[bool] = False

    def __init__(self, renderer: vtkRenderer) -> None:
        self._renderer = renderer
        self._actors: list[vtkProp] = []
        self.written: list[Writing] = []
        self._sizes: list[tuple[vtkProperty, float, float]] = []
        self.wanted = not self.hidden_at_first
        self.plates: list[Box] = []
        self.theme: SceneTheme = LIGHT
        self.make()

    def add(self, actor: Any) -> Any:
        """Put an actor into the scene and return it."""
        self._renderer.AddViewProp(actor)
        self._actors.append(actor)
        if isinstance(actor, Writing):
            self.written.append(actor)
        if isinstance(actor, vtkActor):
            look = actor.GetProperty()
            self._sizes.append((look, look.GetLineWidth(), look.GetPointSize()))
        return actor

    def surfaces(self) -> list[vtkActor]:
        """Return the actors that lie in space, not those that are written over the picture."""
        return [actor for actor in self._actors if isinstance(actor, vtkActor)]

    def flats(self) -> list[vtkActor2D]:
        """Return the actors of quads and lines that are laid over the picture."""
        return [a for a in self._actors if isinstance(a, vtkActor2D) and not isinstance(a, Writing)]

    def scale_sizes(self, scale: float) -> None:
        """Make lines and points that many times as thick as they were made."""
        for look, width, size in self._sizes:
            look.SetLineWidth(width * scale)
            look.SetPointSize(size * scale)

    def make(self) -> None:
        """Make the actors, once."""

    def build(self, content: SceneContent) -> None:
        """Make the data again; called after a change of what the visual reads."""

    def move(self, content: SceneContent) -> None:
        """Bring positions and values of the shown frame into the data, in place."""

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        self.theme = theme

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there is anything to show at present."""
        return True

    def choose_detail(self, content: SceneContent, moving: bool) -> None:
        """Draw large meshes coarsely while things move; called before every rendering."""

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray | None:
        """Return rows (n,) of the nodes that the visual asks for while things move coarsely; None for all of them."""
        return NO_NODES

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Write over the picture; called before every rendering, so it has to be quick."""

    def draw_writing(self) -> None:
        """Bring what was written into the picture; called after `write`."""
        for text in self.written:
            if text.GetVisibility():
                text.draw()

    def refresh(self, content: SceneContent) -> None:
        """Show the actors if they are wanted and relevant."""
        shown = self.is_shown(content)
        for actor in self._actors:
            actor.SetVisibility(shown)

    def is_shown(self, content: SceneContent) -> bool:
        """Return whether it is wanted and relevant."""
        return self.wanted and self.is_relevant(content)

    def remove(self) -> None:
        """Take all actors out of the scene."""
        for actor in self._actors:
            self._renderer.RemoveViewProp(actor)
        self._actors.clear()
