"""Normals as short arrows: of both surfaces, and of the master surface at the intersection points."""

import numpy as np

from faying.fem.skin import facet_areas, facet_centroids, facet_normals
from faying_app.scene.actors import arrow_actor, arrow_data, paint, show
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.visuals import Visual, visuals

# More arrows than this hide what they stand on; every so many facets get one then.
_MOST_ARROWS = 1500


@visuals.register("normals")
class NormalsVisual(Visual):
    """Draws an arrow at every intersection point, and without pairs on the facets of master and slave."""

    title = "Normals"
    reads = frozenset({"model", "pairs", "master", "slave"})
    hidden_at_first = True

    def make(self) -> None:
        """Make the arrows of pairs, master and slave."""
        self._arrows = self.add(arrow_actor())
        self._sides = {name: self.add(arrow_actor()) for name in ("master", "slave")}

    def build(self, content: SceneContent) -> None:
        """Place the arrows; they are about as long as the pairs are apart, or the facets wide."""
        pairs, none = content.pairs, arrow_data(np.zeros((0, 3)), np.zeros((0, 3)))
        for actor in (self._arrows, *self._sides.values()):
            show(actor, none)
        if pairs is not None and len(pairs):
            length = 1.6 * float(np.sqrt(max(np.median(pairs.weights), 0.0))) or 0.01 * content.size
            show(self._arrows, arrow_data(pairs.points, length * pairs.normals))
            return
        for name, surface in (("master", content.master), ("slave", content.slave)):
            if surface is None or content.model is None or not surface.n_facets:
                continue
            nodes = content.model.nodes
            length = max(1.2 * float(np.sqrt(np.median(facet_areas(surface, nodes)))), 0.008 * content.size)
            some = slice(None, None, -(-surface.n_facets // _MOST_ARROWS))
            middles, normals = facet_centroids(surface, nodes)[some], facet_normals(surface, nodes)[some]
            show(self._sides[name], arrow_data(middles, length * normals))

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self._arrows, theme.normal)
        paint(self._sides["master"], theme.master)
        paint(self._sides["slave"], theme.slave)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there are pairs or surfaces, and no frame."""
        there = content.pairs is not None or content.master is not None or content.slave is not None
        return content.frame is None and there
