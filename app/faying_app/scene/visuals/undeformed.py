"""The sharp edges of the undeformed body, to compare a deformed frame with."""

from faying_app.scene.actors import line_actor, paint, show
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import LineMesh, SurfaceEdges
from faying_app.scene.visuals import Visual, visuals


@visuals.register("undeformed")
class UndeformedVisual(Visual):
    """Draws the outline of the undeformed body while a frame is shown."""

    title = "Undeformed outline"
    reads = frozenset({"model"})

    def make(self) -> None:
        """Make the actor."""
        self.lines = self.add(line_actor(1.0))

    def build(self, content: SceneContent) -> None:
        """Find the sharp edges."""
        if content.model is None or content.skin is None:
            return
        edges = SurfaceEdges(content.skin)
        sharp = edges.features(content.skin_normals)
        show(self.lines, LineMesh(edges.pieces(sharp), content.model.nodes).drawn)

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self.lines, theme.undeformed, 0.45)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether a frame is shown; parts of a system are far from where they started."""
        if content.is_opened:
            return False
        return content.frame is not None and content.skin is not None and content.system is None
