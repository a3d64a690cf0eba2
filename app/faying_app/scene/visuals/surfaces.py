"""Master and slave surface of the chosen joint."""

import numpy as np

from faying.fem.skin import facet_normals, nodal_normals
from faying.fem.surface import Surface
from faying_app.scene.actors import line_actor, paint, show, surface_actor
from faying_app.scene.colours import Theme
from faying_app.scene.content import Content
from faying_app.scene.meshes import LineMesh, SurfaceEdges, SurfaceMesh
from faying_app.scene.visuals import Visual, visuals

# Both surfaces lie on each other; each is drawn this part of the body's size inside its own part.
INWARD = 0.0012


@visuals.register("surfaces")
class SurfacesVisual(Visual):
    """Draws both surfaces in their colours, with their borders."""

    title = "Master and slave surface"
    reads = frozenset({"model", "master", "slave"})

    def make(self) -> None:
        """Make fill and border of both."""
        self._fills = {name: self.add(surface_actor()) for name in ("master", "slave")}
        self._borders = {name: self.add(line_actor(2.2)) for name in ("master", "slave")}

    def build(self, content: Content) -> None:
        """Triangulate both surfaces and find their borders."""
        for name, surface in (("master", content.master), ("slave", content.slave)):
            given = surface if surface is not None and content.model is not None else Surface("", ())
            nodes = content.model.nodes if content.model is not None else np.zeros((0, 3))
            drawn = nodes.copy()
            drawn[given.nodes] -= INWARD * content.size * nodal_normals(given, nodes)
            edges = SurfaceEdges(given)
            border = edges.features(facet_normals(given, nodes))
            show(self._fills[name], SurfaceMesh(given, drawn).drawn)
            show(self._borders[name], LineMesh(edges.pieces(border), drawn).drawn)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for name, colour in (("master", theme.master), ("slave", theme.slave)):
            paint(self._fills[name], colour)
            paint(self._borders[name], colour)

    def is_relevant(self, content: Content) -> bool:
        """Return whether there is a surface, and no frame."""
        return content.frame is None and (content.master is not None or content.slave is not None)
