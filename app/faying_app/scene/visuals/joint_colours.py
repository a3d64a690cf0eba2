"""The joints of a body, each in a colour of its own, seen through the body."""

import numpy as np

from faying.fem.surface import part_of_surface
from faying_app.scene.actors import paint_values, show, surface_actor
from faying_app.scene.colours import group_table
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import SurfaceMesh, colour_cells
from faying_app.scene.visuals import NO_NODES, Visual, visuals


@visuals.register("joint_colours")
class JointColoursVisual(Visual):
    """Draws the facets of all joints where no field is shown; the body around them is a ghost."""

    title = "Colours of joints"
    reads = frozenset({"model", "groups"})

    def make(self) -> None:
        """Make the actor."""
        self._skin = self.add(surface_actor())
        self._mesh: SurfaceMesh | None = None

    def build(self, content: SceneContent) -> None:
        """Triangulate the facets of the joints."""
        self._mesh = None
        groups = content.groups
        if content.skin is None or groups is None or not groups.inside:
            return
        chosen = np.flatnonzero(groups.numbers >= 0)
        self._mesh = SurfaceMesh(part_of_surface(content.skin, chosen), content.positions)
        colour_cells(self._mesh.drawn, groups.numbers[chosen][self._mesh.facets])
        show(self._skin, self._mesh.drawn)

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        if self._mesh is not None and self.is_shown(content):
            self._mesh.place(content.positions_at)

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray | None:
        """Return the nodes of the joints."""
        shown = self._mesh is not None and self.is_shown(content)
        return self._mesh.nodes if shown and self._mesh is not None else NO_NODES

    def refresh(self, content: SceneContent) -> None:
        """Take the colours of the theme."""
        super().refresh(content)
        if content.groups is not None:
            paint_values(self._skin, group_table(len(content.groups.names), self.theme), cells=True)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether joints have colours, and no field is shown."""
        has_field = content.frame is not None and content.frame.field is not None
        return content.groups is not None and content.groups.inside and not has_field
