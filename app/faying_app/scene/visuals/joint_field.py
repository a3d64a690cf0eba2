"""A field of a joint, on the facets of its slave surface."""

import numpy as np
import pyvista as pv

from faying.fem.skin import facet_normals, surface_area
from faying.fem.surface import Surface
from faying_app.scene.actors import line_actor, paint, paint_values, point_actor, show, surface_actor, unlit
from faying_app.scene.colours import lookup_table
from faying_app.scene.content import SceneContent
from faying_app.scene.frames import chosen_joints
from faying_app.scene.meshes import (
    LineMesh,
    PatchMesh,
    SurfaceEdges,
    SurfaceMesh,
    colour_points,
    move_points,
    point_data,
)
from faying_app.scene.visuals import NO_NODES, Sheet, Visual, visuals

_SMALLEST_POINT = 3.0


def shown_surface(content: SceneContent) -> Surface | None:
    """Return the slave facets of the joints whose field is shown, None when no joint field is shown."""
    frame = content.frame
    if frame is None or not content.shows_joint_field:
        return None
    names = chosen_joints(content.joint_pairs, frame.joint)
    blocks = [block for name in names for block in content.joint_slaves[name].blocks]
    return Surface("joint field", tuple(blocks))


@visuals.register("joint_field")
class JointFieldVisual(Visual):
    """Draws values between the nodes of the slave facets smoothly, and states as one patch for each of them."""

    title = "Joint field on the slave surface"
    reads = frozenset({"model", "context"})

    def make(self) -> None:
        """Make smooth surface, patches and border."""
        self._smooth = self.add(surface_actor())
        self._patchy = self.add(surface_actor())
        self._border = self.add(line_actor(1.5))
        for actor in (self._smooth, self._patchy):
            # The surface is seen through the body: no shading may bend its colours.
            unlit(actor)
            # It lies in the skins of both parts: it wins against them.
            actor.GetMapper().SetRelativeCoincidentTopologyPolygonOffsetParameters(-3.0, -12.0)
        self._of: tuple[str, str] | None = None
        self._meshes: tuple[SurfaceMesh | PatchMesh, LineMesh] | None = None

    def build(self, content: SceneContent) -> None:
        """Forget the old meshes."""
        self._of = self._meshes = None

    def move(self, content: SceneContent) -> None:
        """Follow the frame; the meshes are made again only for another joint or another way of drawing."""
        frame, surface = content.frame, shown_surface(content)
        if frame is None or frame.field is None or surface is None or content.model is None:
            return
        assert frame.values_at is not None
        states = frame.field.colours == "status"
        if self._of != (frame.joint, "states" if states else "values"):
            self._of = (frame.joint, "states" if states else "values")
            kind = PatchMesh if states else SurfaceMesh
            edges = SurfaceEdges(surface)
            border = edges.features(facet_normals(surface, content.model.nodes))
            mesh = kind(surface, frame.positions_at)
            self._meshes = (mesh, LineMesh(edges.pieces(border), frame.positions_at))
            show(self._patchy if states else self._smooth, mesh.drawn)
            show(self._border, self._meshes[1].drawn)
        assert self._meshes is not None
        mesh, lines = self._meshes
        mesh.place(frame.positions_at)
        mesh.colour(frame.values_at)
        lines.place(frame.positions_at)
        table = lookup_table(content.colouring, self.theme)
        paint_values(self._patchy if states else self._smooth, table, cells=states)
        paint(self._border, self.theme.body_edge)

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray:
        """Return the nodes of the shown joints."""
        surface = shown_surface(content)
        return surface.nodes if surface is not None else NO_NODES

    def refresh(self, content: SceneContent) -> None:
        """Show the surface that fits the field."""
        super().refresh(content)
        if self.is_shown(content) and self._of is not None:
            self._smooth.SetVisibility(self._of[1] == "values")
            self._patchy.SetVisibility(self._of[1] == "states")

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether a joint field is shown, on a joint that is closed."""
        return content.shows_joint_field and not content.is_opened


@visuals.register("joint_points")
class JointPointsVisual(Visual):
    """Draws the values as coloured points where they are: at the slave nodes, or at integration points."""

    title = "Joint field on points"
    reads = frozenset({"model", "context"})
    hidden_at_first = True

    def make(self) -> None:
        """Make the points."""
        self._points = self.add(point_actor(7.0, in_front=True))
        self._of: str | None = None
        self._drawn: pv.PolyData | None = None
        self._spacing = 0.0

    def build(self, content: SceneContent) -> None:
        """Forget the old points."""
        self._of = self._drawn = None

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        frame, surface = content.frame, shown_surface(content)
        if not self.is_shown(content) or frame is None or frame.field is None or surface is None:
            return
        assert content.model is not None
        joints = [content.joint_pairs[name] for name in chosen_joints(content.joint_pairs, frame.joint)]
        at = frame.positions_at
        places = np.concatenate(
            [part for pairs in joints for part in (pairs.on_slave(at), pairs.on_unpaired(at))]
        )
        if self._drawn is None or self._of != frame.joint:
            self._of, self._drawn = frame.joint, point_data(places)
            self._spacing = float(np.sqrt(surface_area(surface, content.model.nodes) / len(places)))
            show(self._points, self._drawn)
        move_points(self._drawn, places)
        missing = [np.full(pairs.n_unpaired, np.nan) for pairs in joints]
        both = [part for pair in zip(frame.of_pairs.values(), missing, strict=True) for part in pair]
        colour_points(self._drawn, np.concatenate(both))
        table = lookup_table(content.colouring, self.theme)
        paint_values(self._points, table)

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Make the points so large that each can be told from its neighbours; from afar they would be noise."""
        if self.is_shown(content):
            size = 0.6 * self._spacing * sheet.pixels_per_length / sheet.scale
            self._points.GetProperty().SetPointSize(
                content.display.marker_size * min(size, 9.0) * sheet.scale
            )
            self._points.SetVisibility(size >= _SMALLEST_POINT)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether a joint field is shown, on a joint that is closed."""
        return content.shows_joint_field and not content.is_opened
