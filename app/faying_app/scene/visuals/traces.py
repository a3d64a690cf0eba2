"""Traces: the ways of the markers of a system's parts over a whole run."""

import numpy as np
import pyvista as pv

from faying_app.scene.actors import line_actor, paint, show
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.systems import SystemContext, marker_ways
from faying_app.scene.visuals import Visual, visuals


@visuals.register("traces")
class TracesVisual(Visual):
    """Draws a line along which each marker on a moving part goes, as seen from where the system is looked at."""

    title = "Traces of markers"
    reads = frozenset({"model", "context", "display"})
    hidden_at_first = True

    def make(self) -> None:
        """Make the lines."""
        self._lines = self.add(line_actor(1.5, in_front=True))
        self._drawn: tuple[object, ...] | None = None
        self.ways = np.zeros((0, 0, 3))

    def build(self, content: SceneContent) -> None:
        """Forget the ways of other frames; they are found when they are wanted."""
        self._drawn = None

    def move(self, content: SceneContent) -> None:
        """Draw the ways once, and again where deformations are enlarged otherwise."""
        context, frame = content.context, content.frame
        if not self.wanted or not isinstance(context, SystemContext) or frame is None:
            self.ways = np.zeros((0, 0, 3))
            return
        display = content.display
        key = (context, frame.scale, display.reference, display.reference_turns)
        if self._drawn is not None and key == self._drawn:
            return
        self._drawn = key
        self.ways = marker_ways(context, frame.scale, display.reference, display.reference_turns)
        count, length, _ = self.ways.shape
        drawn = pv.PolyData()
        if count:
            rows = np.arange(count * length).reshape(count, length)
            drawn.points = self.ways.reshape(-1, 3)
            drawn.lines = np.column_stack([np.full(count, length), rows]).ravel()
        show(self._lines, drawn)

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self._lines, theme.interface)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether something goes along."""
        return bool(self.ways.size)
