"""Local coordinate systems of contact pairs: tangents and normal at each intersection point."""

import numpy as np

from faying_app.scene.actors import line_actor, paint, show
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import line_data
from faying_app.scene.visuals import Visual, visuals


@visuals.register("frames")
class PairFramesVisual(Visual):
    """Draws three short lines at every intersection point, in the colours of the axes x, y, z."""

    title = "Local coordinate systems"
    reads = frozenset({"model", "pairs"})
    hidden_at_first = True

    def make(self) -> None:
        """Make the lines of each axis."""
        self._axes = [self.add(line_actor(1.8)) for _ in range(3)]

    def build(self, content: SceneContent) -> None:
        """Place the lines; they reach about half way to the next pair."""
        pairs = content.pairs
        if pairs is None or not len(pairs):
            return
        length = 0.7 * float(np.sqrt(max(np.median(pairs.weights), 0.0))) or 0.005 * content.size
        n = len(pairs)
        ends = np.column_stack([np.arange(n), np.arange(n) + n])
        for actor, axis in zip(self._axes, (pairs.tangents_1, pairs.tangents_2, pairs.normals), strict=True):
            show(actor, line_data(np.concatenate([pairs.points, pairs.points + length * axis]), ends))

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for actor, colour in zip(self._axes, theme.axes, strict=True):
            paint(actor, colour)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there are pairs, and no frame."""
        return content.frame is None and content.pairs is not None and len(content.pairs) > 0
