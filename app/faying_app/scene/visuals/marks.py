"""Places that a check points at, seen through everything."""

from faying_app.scene.actors import paint, point_actor, show, unlit
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import point_data
from faying_app.scene.visuals import Visual, visuals


@visuals.register("marks")
class MarksVisual(Visual):
    """Draws a point with a rim at each place."""

    title = "Marked places"
    reads = frozenset({"model", "marks"})

    def make(self) -> None:
        """Make rims and points."""
        self._rims = self.add(point_actor(11.0, in_front=True))
        self._points = self.add(point_actor(7.0, in_front=True))
        for actor in (self._rims, self._points):
            unlit(actor)
        self._points.GetMapper().SetRelativeCoincidentTopologyPointOffsetParameter(-2.0e5)

    def build(self, content: SceneContent) -> None:
        """Place them."""
        for actor in (self._rims, self._points):
            show(actor, point_data(content.marks))

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self._rims, theme.background)
        paint(self._points, theme.highlight)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there are places, and no frame."""
        return content.frame is None and len(content.marks) > 0
