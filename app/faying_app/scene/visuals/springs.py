"""Springs, dampers, rods and bushings of a model: coils between their nodes, crosses where these are at one place."""

import numpy as np
import pyvista as pv

from faying_app.scene.actors import line_actor, paint, show
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import line_data
from faying_app.scene.shapes import coil
from faying_app.scene.visuals import Visual, visuals

_SIZE = 0.015  # of a coil's radius and a cross' arm, of the model
_SLIM = 0.15  # largest radius of a coil, of its length
MOST_COILS = 400  # more are drawn as straight lines


@visuals.register("springs")
class SpringsVisual(Visual):
    """Draws each spring; it follows the frame."""

    title = "Springs"
    reads = frozenset({"model"})

    def make(self) -> None:
        """Make the lines, seen through the body that they lie in."""
        self._lines = self.add(line_actor(1.5, in_front=True))

    def build(self, content: SceneContent) -> None:
        """Draw them where they are without a frame."""
        self.move(content)

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        springs = content.model.springs if content.model is not None else ()
        ends = np.array([spring.nodes for spring in springs], np.int64).reshape(-1, 2)
        show(self._lines, _drawn(content.positions[ends] if len(ends) else np.zeros((0, 2, 3)), content.size))

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colour of interface nodes."""
        super().apply_theme(theme)
        paint(self._lines, theme.interface)

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray | None:
        """Return the nodes of all springs."""
        springs = content.model.springs if content.model is not None else ()
        return np.unique(np.concatenate([np.zeros(0, np.int64), *(spring.nodes for spring in springs)]))

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there are springs; an opened joint shows its faces alone."""
        return content.model is not None and bool(content.model.springs) and not content.is_opened


def _drawn(ends: np.ndarray, size: float) -> pv.PolyData:
    """Return the lines of springs between ends (n, 2, 3) in a model of a size."""
    paths = []
    for start, end in ends:
        length = float(np.linalg.norm(end - start))
        if length < 1e-6 * size:
            arms = _SIZE * size * np.eye(3)
            paths += [np.stack([start - arm, start + arm]) for arm in arms]
        elif len(ends) > MOST_COILS:
            paths.append(np.stack([start, end]))
        else:
            paths.append(coil(start, end, min(_SIZE * size, _SLIM * length)))
    points = np.concatenate([np.zeros((0, 3)), *paths])
    first = np.cumsum([0, *(len(path) for path in paths)])
    pieces = [
        np.column_stack([np.arange(at, at + len(path) - 1), np.arange(at + 1, at + len(path))])
        for at, path in zip(first, paths, strict=False)
    ]
    return line_data(points, np.concatenate([np.zeros((0, 2), np.int64), *pieces]))
