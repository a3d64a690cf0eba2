"""Master and slave surface of the chosen joint, or of the chosen contact between parts."""

import numpy as np
from vtkmodules.vtkRenderingCore import vtkProperty

from faying.fem.skin import facet_normals, nodal_normals, shell_facets
from faying.fem.surface import Surface
from faying_app.scene.actors import line_actor, paint, show, surface_actor
from faying_app.scene.colours import SceneTheme, rgb
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import LineMesh, SurfaceEdges, SurfaceMesh
from faying_app.scene.visuals import Visual, visuals

# Both surfaces lie on each other; each is drawn this part of the body's size inside its own part. Both sides of a shell
# lie on each other too: each is drawn outside, where it is seen from.
INWARD = 0.0012
_GHOST = 0.16
_BEHIND = 0.25  # share of the colour from behind: which side of a shell is chosen can be seen


@visuals.register("surfaces")
class SurfacesVisual(Visual):
    """Draws both surfaces in their colours, with their borders."""

    title = "Master and slave surface"
    reads = frozenset({"model", "master", "slave", "front"})

    def make(self) -> None:
        """Make fill and border of both."""
        self._fills = {name: self.add(surface_actor()) for name in ("master", "slave")}
        self._backs = {name: vtkProperty() for name in self._fills}
        self._borders = {name: self.add(line_actor(2.2)) for name in ("master", "slave")}
        self._front = ""

    def build(self, content: SceneContent) -> None:
        """Triangulate both surfaces and find their borders."""
        for name, surface in (("master", content.master), ("slave", content.slave)):
            given = surface if surface is not None and content.model is not None else Surface("", ())
            nodes = content.model.nodes if content.model is not None else np.zeros((0, 3))
            drawn = nodes.copy()
            drawn[given.nodes] -= (
                INWARD * content.size * _inward(given, content) * nodal_normals(given, nodes)
            )
            back = self._backs[name] if _has_shells(given, content) else None
            self._fills[name].SetBackfaceProperty(back)
            edges = SurfaceEdges(given)
            border = edges.features(facet_normals(given, nodes))
            show(self._fills[name], SurfaceMesh(given, drawn).drawn)
            show(self._borders[name], LineMesh(edges.pieces(border), drawn).drawn)
        self._front = content.front
        self._paint()

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        self._paint()

    def _paint(self) -> None:
        theme = self.theme
        for name, colour in (("master", theme.master), ("slave", theme.slave)):
            # Both lie on each other: to see all of the one that is worked on, the other is a ghost.
            opacity = _GHOST if self._front not in ("", name) else 1.0
            paint(self._fills[name], colour, opacity)
            paint(self._borders[name], colour, max(opacity, 0.5))
            self._backs[name].DeepCopy(self._fills[name].GetProperty())
            seen = _BEHIND * np.array(rgb(colour)) + (1.0 - _BEHIND) * np.array(rgb(theme.body))
            self._backs[name].SetColor(*seen)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there is a surface, and no frame."""
        return content.frame is None and (content.master is not None or content.slave is not None)


def _has_shells(surface: Surface, content: SceneContent) -> bool:
    model = content.model
    return model is not None and bool(model.blocks) and bool(shell_facets(model.blocks, surface).any())


def _inward(surface: Surface, content: SceneContent) -> np.ndarray:
    """Return (n, 1) at the surface's nodes: 1 of solids, -1 of shells."""
    signs = np.ones(len(content.positions))
    if content.model is not None and content.model.blocks:  # a system's picture has facets alone
        shells, start = shell_facets(content.model.blocks, surface), 0
        for block in surface.blocks:
            own = shells[start : start + len(block.elements)]
            signs[block.connectivity[own]] = -1.0
            start += len(own)
    return signs[surface.nodes, None]
