"""The flexible body: its skin, solid, as a ghost, or coloured by a field, with its sharp edges."""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkCellTreeLocator
from vtkmodules.vtkRenderingCore import vtkActor

from faying_app.scene.actors import lift_lines, line_actor, paint, paint_values, show, surface_actor
from faying_app.scene.closure import is_closed
from faying_app.scene.colours import lookup_table
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import LineMesh, SurfaceEdges, SurfaceMesh, TriangleMesh
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
        self._behind: SceneContent | None = None  # what the full mesh has to catch up with before it is drawn

    def build(self, content: SceneContent) -> None:
        """Triangulate the skin and find its sharp edges."""
        self.mesh = self._coarse = self._lines = None
        if content.model is None or content.skin is None:
            return
        self.mesh = SurfaceMesh(content.skin, content.positions)
        self._closed = is_closed(self.mesh.triangles, content.positions[self.mesh.nodes])
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
        frame = content.frame
        field = frame.field if frame is not None else None
        if frame is None or field is None or field.location != "body":
            paint_values(self.skin, None)
        else:
            table = lookup_table(content.colouring, self.theme)
            paint_values(self.skin, table)
        self._paint(content)

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
        if self._is_coloured and content.frame is not None and content.frame.values_at is not None:
            mesh.colour(content.frame.values_at)

    @property
    def _is_coloured(self) -> bool:
        return bool(self.skin.GetMapper().GetScalarVisibility())

    def _paint(self, content: SceneContent) -> None:
        look = content.body_look
        coloured = self._is_coloured
        if look == "ghost":
            paint(self.skin, self.theme.ghost, 0.35 if coloured else GHOST_OPACITY)
            paint(self.edges, self.theme.body_edge, 0.55)
        else:
            paint(self.skin, self.theme.body, content.display.opacity)
            paint(self.edges, self.theme.body_edge, 0.35 if coloured else 1.0)
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
