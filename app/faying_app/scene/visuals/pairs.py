"""Contact pairs: intersection points coloured by the initial gap, and lines from their slave side."""

import numpy as np

from faying_app.scene.actors import line_actor, paint, paint_values, point_actor, show
from faying_app.scene.colours import Colouring, SceneTheme, lookup_table
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import line_data, point_data
from faying_app.scene.visuals import Sheet, Visual, visuals


def gap_limits(gaps: np.ndarray) -> tuple[float, float]:
    """Return symmetric limits of the colours of initial gaps."""
    largest = float(np.abs(gaps).max(initial=0.0))
    return (-largest, largest)


def gap_colouring(content: SceneContent) -> Colouring:
    """Return how initial gaps become colours."""
    assert content.pairs is not None
    limits = gap_limits(content.pairs.initial_gaps)
    return Colouring("diverging", limits, severe_below=True, style=content.display.style)


@visuals.register("pairs")
class PairsVisual(Visual):
    """Draws intersection points, lines to the slave nodes or integration points, and those that found none."""

    title = "Contact pairs"
    reads = frozenset({"model", "pairs"})

    def make(self) -> None:
        """Make points, lines and unpaired nodes."""
        self._points = self.add(point_actor(6.0))
        self._lines = self.add(line_actor(1.4))
        self._unpaired = self.add(point_actor(8.0))
        self._spacing = 0.0

    def build(self, content: SceneContent) -> None:
        """Place points and lines."""
        pairs, model = content.pairs, content.model
        if pairs is None or model is None:
            return
        self._spacing = float(np.sqrt(max(np.median(pairs.weights), 0.0))) if len(pairs) else 0.0
        drawn = point_data(pairs.points)
        drawn.point_data["gap"] = np.asarray(pairs.initial_gaps, np.float32)
        drawn.set_active_scalars("gap")
        show(self._points, drawn)
        n = len(pairs)
        ends = np.concatenate([pairs.on_slave(model.nodes), pairs.points])
        show(self._lines, line_data(ends, np.column_stack([np.arange(n), np.arange(n) + n])))
        show(self._unpaired, point_data(pairs.on_unpaired(model.nodes)))
        self._colour(content)

    def _colour(self, content: SceneContent) -> None:
        pairs = content.pairs
        if pairs is None:
            return
        low, high = gap_limits(pairs.initial_gaps)
        if low == high:
            paint_values(self._points, None)
            return
        paint_values(self._points, lookup_table(gap_colouring(content), self.theme))

    def move(self, content: SceneContent) -> None:
        """Colour by the gap."""
        self._colour(content)

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self._points, theme.point)
        paint(self._lines, theme.line)
        paint(self._unpaired, theme.unpaired)

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Make the points so large that each can be told from its neighbours."""
        if not self.is_shown(content):
            return
        apart = self._spacing * sheet.pixels_per_length / sheet.scale
        size = content.display.marker_size * float(np.clip(0.5 * apart, 2.0, 8.0)) * sheet.scale
        self._points.GetProperty().SetPointSize(size)
        self._unpaired.GetProperty().SetPointSize(1.4 * size)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there are pairs, and no frame."""
        return content.frame is None and content.pairs is not None
