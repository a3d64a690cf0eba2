"""Master normals at the intersection points, as short arrows."""

import numpy as np

from faying_app.scene.actors import arrow_actor, arrow_data, paint, show
from faying_app.scene.colours import Theme
from faying_app.scene.content import Content
from faying_app.scene.visuals import Visual, visuals


@visuals.register("normals")
class NormalsVisual(Visual):
    """Draws an arrow at every intersection point, out of the master surface."""

    title = "Normals"
    reads = frozenset({"model", "pairs"})
    hidden_at_first = True

    def make(self) -> None:
        """Make the arrows."""
        self._arrows = self.add(arrow_actor())

    def build(self, content: Content) -> None:
        """Place the arrows; they are about as long as the pairs are apart."""
        pairs = content.pairs
        if pairs is None or not len(pairs):
            return
        length = 1.6 * float(np.sqrt(max(np.median(pairs.weights), 0.0))) or 0.01 * content.size
        show(self._arrows, arrow_data(pairs.points, length * pairs.normals))

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self._arrows, theme.normal)

    def is_relevant(self, content: Content) -> bool:
        """Return whether there are pairs, and no frame."""
        return content.frame is None and content.pairs is not None
