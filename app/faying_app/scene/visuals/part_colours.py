"""The parts of a body, each in a colour of its own."""

import numpy as np

from faying_app.scene.actors import paint_values, show, surface_actor
from faying_app.scene.colours import Colouring, SceneTheme, lookup_table
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import SurfaceMesh
from faying_app.scene.visuals import Visual, visuals

# The first colours of states are those of nothing, slave and master, which mean that everywhere.
_FIRST = 3


@visuals.register("part_colours")
class PartColoursVisual(Visual):
    """Draws the skin once more, coloured by part, just before the body."""

    title = "Colours of parts"
    reads = frozenset({"model", "parts"})

    def make(self) -> None:
        """Make the actor."""
        self._skin = self.add(surface_actor())
        self._skin.GetMapper().SetRelativeCoincidentTopologyPolygonOffsetParameters(-1.0, -1.0)

    def build(self, content: SceneContent) -> None:
        """Triangulate the skin and write the part of each triangle."""
        if content.skin is None or content.parts is None or len(content.parts) != content.skin.n_facets:
            return
        mesh = SurfaceMesh(content.skin, content.positions)
        n = len(self.theme.states) - _FIRST
        mesh.drawn.cell_data["part"] = float(_FIRST) + np.asarray(content.parts)[mesh.facets] % n
        mesh.drawn.set_active_scalars("part", preference="cell")
        show(self._skin, mesh.drawn)
        self._colour()

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme: those of states."""
        super().apply_theme(theme)
        self._colour()

    def _colour(self) -> None:
        states = len(self.theme.states)
        paint_values(self._skin, lookup_table(Colouring("status", n_states=states), self.theme), cells=True)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether parts have colours, and no frame is shown."""
        return content.frame is None and content.parts is not None and content.skin is not None
