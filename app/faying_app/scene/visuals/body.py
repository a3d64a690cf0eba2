"""The flexible body: its skin, solid, as a ghost, or coloured by a field, with its sharp edges."""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkCellTreeLocator
from vtkmodules.vtkRenderingCore import vtkActor

from faying_app.scene.actors import lift_lines, line_actor, paint, paint_values, show, surface_actor
from faying_app.scene.closure import is_closed
from faying_app.scene.colours import group_table, lookup_table
from faying_app.scene.content import SceneContent
from faying_app.scene.facet_groups import FacetGroups
from faying_app.scene.meshes import LineMesh, SurfaceEdges, SurfaceMesh, TriangleMesh, colour_cells
from faying_app.scene.visuals import MOST_WHILE_MOVING, NO_NODES, Sheet, Visual, visuals

GHOST_OPACITY = 0.13


@visuals.register("body")
class BodyVisual(Visual):
    """Draws the skin; `mesh` maps its triangles to facets, for picking."""

    title = "Body"
    reads = frozenset({"model"})

    def make(self) -> None:
        """Make the actors of skin and edges."""
        self.skin: vtkActor = self.add(surface_actor())
        self.skin.SetPickable(True)
        self.edges: vtkActor = self.add(line_actor())
        self.mesh: SurfaceMesh | None = None
        self._locator = vtkCellTreeLocator()
        self._coarse: TriangleMesh | None = None
        self._lines: LineMesh | None = None
        self._closed = False
        self._groups: FacetGroups | None = None
        self._behind: SceneContent | None = None  # what the full mesh has to catch up with before it is drawn

    def build(self, content: SceneContent) -> None:
        """Triangulate the skin and find its sharp edges."""
        self.mesh = self._coarse = self._lines = self._groups = None
        if content.model is None or content.skin is None:
            return
        self.mesh = SurfaceMesh(content.skin, content.positions)
        self._closed = is_closed(self.mesh.welded, content.positions[self.mesh.welded_nodes])
        edges = SurfaceEdges(content.skin)
        sharp = edges.features(content.skin_normals)
        self._lines = LineMesh(edges.pieces(sharp), content.positions)
        show(self.skin, self.mesh.drawn)
        show(self.edges, self._lines.drawn)

    def move(self, content: SceneContent) -> None:
        """Follow the frame, and take the colours of a body field."""
        if self.mesh is None or self._lines is None:
            return
        self._behind = content
        self._lines.place(content.positions_at)
        if _has_values(content):
            paint_values(self.skin, lookup_table(content.colouring, self.theme))
        elif content.groups is not None and not content.groups.inside:
            self._group(content.groups)
            paint_values(self.skin, group_table(len(content.groups.names), self.theme), cells=True)
        else:
            paint_values(self.skin, None)
        self._paint(content)

    def _group(self, groups: FacetGroups) -> None:
        """Write the groups of the facets into the triangles, of a coarse skin those at the triangles' first nodes."""
        if groups == self._groups or self.mesh is None:
            return
        self._groups = groups
        colour_cells(self.mesh.drawn, groups.numbers[self.mesh.facets])
        if self._coarse is not None:
            self._group_coarsely(self.mesh, self._coarse, groups)

    @staticmethod
    def _group_coarsely(mesh: SurfaceMesh, coarse: TriangleMesh, groups: FacetGroups) -> None:
        of_node = np.full(int(mesh.nodes.max()) + 1, -1)
        of_node[mesh.nodes[mesh.triangles]] = groups.numbers[mesh.facets][:, None]
        colour_cells(coarse.drawn, of_node[coarse.nodes[coarse.triangles[:, 0]]])

    def choose_detail(self, content: SceneContent, moving: bool) -> None:
        """Draw a large skin with few of its nodes while things move."""
        coarse = self._coarse_mesh(content) if moving else None
        if coarse is None:
            self.draw_fully()
            return
        self._bring(coarse, content)
        show(self.skin, coarse.drawn)

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray | None:
        """Return the nodes of the coarse skin and of the sharp edges."""
        coarse = self._coarse_mesh(content)
        if self._lines is None:
            return NO_NODES
        return np.union1d(coarse.nodes, self._lines.nodes) if coarse is not None else None

    def _coarse_mesh(self, content: SceneContent) -> TriangleMesh | None:
        """Return the skin of a few of its nodes, None for a small one, which is always drawn in full."""
        # Half a mesh would not be worth the difference that is seen.
        if self.mesh is None or len(self.mesh.triangles) <= 2 * MOST_WHILE_MOVING:
            return None
        if self._coarse is None:
            self._coarse = self.mesh.coarsened(MOST_WHILE_MOVING, content.positions)
            if self._groups is not None:
                self._group_coarsely(self.mesh, self._coarse, self._groups)
        return self._coarse

    def draw_fully(self) -> None:
        """Draw all triangles: for a picture of what stands still, and to find what lies under a pixel."""
        if self.mesh is None:
            return
        if self._behind is not None:
            self._bring(self.mesh, self._behind)
            self._behind = None
        show(self.skin, self.mesh.drawn)

    def locator(self) -> vtkCellTreeLocator | None:
        """Return what finds the triangle on a ray without a look at all of them; made again where the skin moved.

        None where there is no skin.

        VTK's locators with bins (vtkStaticCellLocator, vtkCellLocator) miss about one ray in a hundred.
        """
        if self.mesh is None or not len(self.mesh.triangles):
            return None
        self._locator.SetDataSet(self.mesh.drawn)
        self._locator.BuildLocator()
        return self._locator

    def _bring(self, mesh: TriangleMesh, content: SceneContent) -> None:
        mesh.place(content.positions_at)
        if _has_values(content) and content.frame is not None and content.frame.values_at is not None:
            mesh.colour(content.frame.values_at)

    def _paint(self, content: SceneContent) -> None:
        look = content.body_look
        coloured = _has_values(content)
        if look == "ghost":
            paint(self.skin, self.theme.ghost, 0.35 if coloured else GHOST_OPACITY)
            paint(self.edges, self.theme.body_edge, 0.55)
        else:
            paint(self.skin, self.theme.body, content.display.opacity)
            paint(self.edges, self.theme.body_edge, 0.6 if coloured else 1.0)
        # One layer of a ghost is enough, and needs no sorting; what looks away from a closed body is not seen anyway.
        unseen = self._closed and not content.display.sections
        self.skin.GetProperty().SetBackfaceCulling(look == "ghost" or unseen)

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Lift the edges out of the faces, however near one is."""
        lift_lines(self.edges, sheet.depth_of_pixel)

    def refresh(self, content: SceneContent) -> None:
        """Show the skin unless it is hidden; its edges stay as an outline."""
        super().refresh(content)
        if self.mesh is not None:
            self._paint(content)
        if content.body_look == "hidden":
            self.skin.SetVisibility(False)
        if content.is_opened:
            self.edges.SetVisibility(False)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there is a body."""
        return content.skin is not None


def _has_values(content: SceneContent) -> bool:
    """Return whether the shown frame has a field of the body."""
    frame = content.frame
    return frame is not None and frame.field is not None and frame.field.location == "body"
