"""The edges of all facets, on request."""

from faying_app.scene.actors import lift_lines, line_actor, paint, show
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import LineMesh, SurfaceEdges
from faying_app.scene.visuals import MOST_WHILE_MOVING, Sheet, Visual, visuals


@visuals.register("mesh_edges")
class MeshEdgesVisual(Visual):
    """Draws the element edges on the skin; its data are made when it is first shown."""

    title = "Mesh edges"
    reads = frozenset({"model"})
    hidden_at_first = True

    def make(self) -> None:
        """Make the actor."""
        self.lines = self.add(line_actor(1.0))
        self._mesh: LineMesh | None = None
        self._placed = False

    def build(self, content: SceneContent) -> None:
        """Forget the old mesh."""
        self._mesh = None

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        if not self.is_shown(content) or content.skin is None:
            return
        if self._mesh is None:
            self._mesh = LineMesh(SurfaceEdges(content.skin).pieces(), content.positions)
            show(self.lines, self._mesh.drawn)
        self._placed = False
        paint(self.lines, self.theme.mesh_edge, 0.25 if content.body_look == "ghost" else 0.7)

    def choose_detail(self, content: SceneContent, moving: bool) -> None:
        """Leave out many edges while things move."""
        if self._mesh is not None:
            few = not moving or self._mesh.drawn.n_cells <= MOST_WHILE_MOVING
            shown = few and self.is_shown(content)
            if shown and not self._placed:
                self._mesh.place(content.positions)
                self._placed = True
            self.lines.SetVisibility(shown)

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Lift the edges out of the faces."""
        lift_lines(self.lines, sheet.depth_of_pixel)

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self.lines, theme.mesh_edge, 0.7)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there is a body that is not hidden."""
        return content.skin is not None and content.body_look != "hidden"
