"""Forces of a multibody system: springs between markers, arrows at single ones."""

import numpy as np

from faying_app.scene.actors import arrow_actor, arrow_data, line_actor, paint, scale_glyphs, show
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.shapes import force_lines
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.visuals.system import (
    ARROW,
    SYMBOL,
    Pieces,
    direction,
    joined,
    member_lines,
    symbol_share,
)


@visuals.register("system_forces")
class SystemForcesVisual(Visual):
    """Draws springs, dampers and actuators as lines, forces and moments as arrows; all follow the frame."""

    title = "Forces of a system"
    reads = frozenset({"model"})

    def make(self) -> None:
        """Make lines and arrows."""
        self._springs = self.add(line_actor(2.0, in_front=True))
        self._forces = self.add(arrow_actor(ends_there=True, in_front=True))
        self._moments = self.add(arrow_actor(heads=2, ends_there=True, in_front=True))
        self._lines: Pieces | None = None
        self._share = 1.0

    def build(self, content: SceneContent) -> None:
        """Lay out the springs."""
        self._lines = None
        if content.system is not None:
            self._lines = Pieces(self._pieces(content))
            show(self._springs, self._lines.drawn)

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        system = content.system
        if self._lines is None or system is None:
            return
        self._lines.place(self._pieces(content))
        places, axes = system.marker_poses(content.poses, content.positions)
        for actor, what in ((self._forces, "force"), (self._moments, "moment")):
            loads = [m for m in system.forces if len(m.markers) == 1 and any(getattr(m, what))]
            directions = np.array([direction(m, getattr(m, what), axes) for m in loads])
            show(actor, arrow_data(places[[m.markers[0] for m in loads]], directions))

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Keep springs slender and arrows short however near one is."""
        share = symbol_share(content, sheet)
        for actor in (self._forces, self._moments):
            scale_glyphs(actor, share * ARROW * content.size)
        if share != self._share:
            self._share = share
            if self._lines is not None:
                self._lines.place(self._pieces(content))

    def _pieces(self, content: SceneContent) -> np.ndarray:
        """Return the pieces (k, 2, 3) of all springs."""
        system = content.system
        assert system is not None
        places, axes = system.marker_poses(content.poses, content.positions)
        size = self._share * SYMBOL * content.size
        return joined([member_lines(force_lines, m, places, axes, size) for m in system.forces])

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for actor in (self._springs, self._forces, self._moments):
            paint(actor, theme.load)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether a system with forces is shown."""
        return content.system is not None and bool(content.system.forces)
