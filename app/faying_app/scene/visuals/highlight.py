"""What is selected: contact pairs or facets, drawn in front of everything."""

import numpy as np

from faying.fem.surface import Surface, part_of_surface
from faying_app.scene.actors import line_actor, paint, point_actor, show, surface_actor, unlit
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import (
    LineMesh,
    SurfaceEdges,
    SurfaceMesh,
    line_data,
    point_data,
)
from faying_app.scene.visuals import NO_NODES, Visual, visuals


@visuals.register("highlight")
class HighlightVisual(Visual):
    """Draws the selected pairs as large points with a rim, the selected facets as a coloured skin."""

    title = "Selection"
    reads = frozenset({"model", "pairs", "highlight"})

    def make(self) -> None:
        """Make rims, points, lines, facets and the facets' borders."""
        self._facets = self.add(surface_actor())
        self._facets.GetMapper().SetRelativeCoincidentTopologyPolygonOffsetParameters(-2.0, -2.0)
        self._borders = self.add(line_actor(2.5, in_front=True))
        self._lines = self.add(line_actor(3.0, in_front=True))
        self._rims = self.add(point_actor(17.0, in_front=True))
        self._points = self.add(point_actor(12.0, in_front=True))
        unlit(self._points)
        unlit(self._rims)
        # Nearer than the rims by a second step.
        self._points.GetMapper().SetRelativeCoincidentTopologyPointOffsetParameter(-2.0e5)
        self._surface: SurfaceMesh | None = None
        self._border: LineMesh | None = None

    def build(self, content: SceneContent) -> None:
        """Find the chosen facets and their border."""
        self._surface = self._border = None
        facets = np.array(content.highlight.facets, np.int64)
        if content.skin is None or not len(facets):
            chosen = Surface("", ())
        else:
            chosen = part_of_surface(content.skin, facets)
        edges = SurfaceEdges(chosen)
        self._surface = SurfaceMesh(chosen, content.positions)
        self._border = LineMesh(edges.pieces(edges.facets[:, 1] < 0), content.positions)
        show(self._facets, self._surface.drawn)
        show(self._borders, self._border.drawn)
        self._place_pairs(content)

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        if self._surface is None or self._border is None:
            return
        if content.highlight.facets:
            self._surface.place(content.positions_at)
            self._border.place(content.positions_at)
        if content.highlight.pairs:
            self._place_pairs(content)

    def _place_pairs(self, content: SceneContent) -> None:
        """Draw the chosen pairs where they are now."""
        slaves, projections = self._pair_points(content)
        n = len(slaves)
        for actor in (self._rims, self._points):
            show(actor, point_data(slaves))
        ends = np.concatenate([slaves, projections])
        show(self._lines, line_data(ends, np.column_stack([np.arange(n), np.arange(n) + n])))

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray:
        """Return the nodes of what is selected."""
        facets = self._surface.nodes if self._surface is not None else NO_NODES
        pairs, rows = content.pairs, _chosen_pairs(content)
        if pairs is None:
            return facets
        both = pairs.slave_shares[0][rows].ravel(), pairs.master_nodes[rows].ravel()
        return np.concatenate([facets, *both])

    def _pair_points(self, content: SceneContent) -> tuple[np.ndarray, np.ndarray]:
        """Return slave nodes or points and intersection points (n, 3) of the chosen pairs where they are now."""
        pairs, rows = content.pairs, _chosen_pairs(content)
        if pairs is None or not len(rows):
            return np.zeros((0, 3)), np.zeros((0, 3))
        positions = content.positions_at
        nodes, shares = pairs.slave_shares
        sides = (shares, nodes), (pairs.shape_values, pairs.master_nodes)
        slave, master = (np.einsum("nk,nki->ni", n[rows], positions[at[rows]]) for n, at in sides)
        return slave, master

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self._facets, theme.highlight, 0.75)
        paint(self._borders, theme.highlight)
        paint(self._lines, theme.highlight)
        paint(self._rims, theme.background)
        paint(self._points, theme.highlight)


def _chosen_pairs(content: SceneContent) -> np.ndarray:
    """Return rows (n,) of the contact pairs that are selected and there."""
    rows = np.array(content.highlight.pairs, np.int64)
    return rows[(rows >= 0) & (rows < (len(content.pairs) if content.pairs is not None else 0))]
