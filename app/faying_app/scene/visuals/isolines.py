"""Lines of equal value on the coloured surface."""

import numpy as np
from vtkmodules.vtkFiltersCore import vtkContourFilter

from faying_app.scene.actors import lift_lines, line_actor, paint, show
from faying_app.scene.content import Content
from faying_app.scene.meshes import SurfaceMesh
from faying_app.scene.visuals import NO_NODES, Sheet, Visual, visuals
from faying_app.scene.visuals.joint_field import shown_surface


@visuals.register("isolines")
class IsolinesVisual(Visual):
    """Draws as many lines as wanted, evenly between the limits of the colours."""

    title = "Lines of equal value"
    reads = frozenset({"model", "context"})

    def make(self) -> None:
        """Make the actor and the filter behind it."""
        self.lines = self.add(line_actor(1.4))
        self._filter = vtkContourFilter()
        self._filter.SetComputeScalars(False)
        self._filter.SetComputeNormals(False)
        self._mesh: SurfaceMesh | None = None
        self._of: object = None

    def build(self, content: Content) -> None:
        """Forget the surface of another model or result."""
        self._mesh = self._of = None

    def move(self, content: Content) -> None:
        """Find the lines of the frame."""
        frame = content.frame
        if not self.is_relevant(content) or frame is None or frame.field is None:
            return
        assert frame.values is not None
        surface = shown_surface(content) or content.skin
        assert surface is not None
        if self._mesh is None or self._of != (frame.field.location, frame.joint):
            self._of = (frame.field.location, frame.joint)
            self._mesh = SurfaceMesh(surface, frame.positions)
            self._filter.SetInputData(self._mesh.drawn)
        self._mesh.place(frame.positions)
        self._mesh.colour(frame.values)
        inner = np.linspace(*frame.limits, content.look.isolines + 2)[1:-1]
        self._filter.SetNumberOfContours(len(inner))
        for i, value in enumerate(inner):
            self._filter.SetValue(i, float(value))
        self._filter.Update()
        show(self.lines, self._filter.GetOutput())
        paint(self.lines, self.theme.text, 0.8)

    def nodes_in_motion(self, content: Content) -> np.ndarray | None:
        """Return None for all nodes when lines are wanted: they run over the whole surface."""
        return None if content.look.isolines > 0 else NO_NODES

    def write(self, content: Content, sheet: Sheet) -> None:
        """Lift the lines: they cross facets that are seen from the side, and win against them."""
        lift_lines(self.lines, sheet.depth_of_pixel)

    def is_relevant(self, content: Content) -> bool:
        """Return whether lines are wanted, of values that change smoothly."""
        frame = content.frame
        if frame is None or frame.field is None or content.is_opened:
            return False
        return content.look.isolines > 0 and frame.field.colours != "status"
