"""Surfaces of rigid parts and of ground that other parts may touch."""

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor

from faying_app.scene.actors import lift_lines, line_actor, paint, paint_values, show, surface_actor
from faying_app.scene.colours import SceneTheme, group_table
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import LineMesh, TriangleMesh, colour_cells
from faying_app.scene.smoothing import sharp_sides
from faying_app.scene.systems import ShownSurface
from faying_app.scene.visuals import Sheet, Visual, visuals

_THROUGH = 0.25  # opacity of what has no end, or is seen from inside
_CHOSEN = 0.6


@visuals.register("rigid_surfaces")
class RigidSurfacesVisual(Visual):
    """Draws balls and meshes solid, planes, cylinders and hollows so that one sees through; all follow the frame.

    Master and slave of the chosen contact have their colours.
    """

    title = "Surfaces of rigid parts"
    reads = frozenset({"model", "touching"})

    def make(self) -> None:
        """Make an actor for each look."""
        self._actors_by_look = {
            look: self.add(surface_actor()) for look in ("solid", "through", "master", "slave")
        }
        for actor in self._actors_by_look.values():
            actor.SetPickable(True)
        self._edges = {look: self.add(line_actor()) for look in self._actors_by_look}
        self._drawn: dict[str, tuple[list[int], TriangleMesh, LineMesh]] = {}

    def fills(self, *, solid: bool) -> list[vtkActor]:
        """Return the actors for picks: those that nothing is seen through, or the others."""
        every = self._actors_by_look.values()
        return [actor for actor in every if (actor.GetProperty().GetOpacity() >= 1.0) == solid]

    def surface_at(self, content: SceneContent, actor: vtkActor, cell: int) -> int:
        """Return the number of the surface that a cell of one of the actors belongs to."""
        look = next(look for look, own in self._actors_by_look.items() if own is actor)
        numbers = self._drawn[look][0]
        assert content.system is not None
        ends = np.cumsum([len(content.system.surfaces[i].triangles) for i in numbers])
        return numbers[int(np.searchsorted(ends, cell, side="right"))]

    def build(self, content: SceneContent) -> None:
        """Sort the surfaces by their looks."""
        self._drawn = {}
        surfaces = content.system.surfaces if content.system is not None else ()
        for look, actor in self._actors_by_look.items():
            numbers = [i for i, surface in enumerate(surfaces) if _look(surface, content) == look]
            firsts = np.cumsum([0, *(len(surfaces[i].points) for i in numbers)])
            triangles = [surfaces[i].triangles + first for i, first in zip(numbers, firsts, strict=False)]
            every = np.concatenate([np.zeros((0, 3), np.int64), *triangles])
            mesh = TriangleMesh(every, _places(content, numbers))
            sides = mesh.welded_nodes[sharp_sides(mesh.welded, mesh.triangles)]
            lines = LineMesh(sides, _places(content, numbers))
            self._drawn[look] = numbers, mesh, lines
            show(actor, mesh.drawn)
            show(self._edges[look], lines.drawn)
            owners = [surfaces[i].part for i in numbers]
            colour_cells(mesh.drawn, np.repeat(owners, [len(each) for each in triangles]))
            if look in ("master", "slave"):
                # What has sides that cover each other is drawn in one colour only where nothing is seen through it.
                solid = all(surfaces[i].solid for i in numbers)
                actor.GetProperty().SetOpacity(1.0 if solid else _CHOSEN)

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        for numbers, mesh, lines in self._drawn.values():
            if numbers:
                places = _places(content, numbers)
                mesh.place(places)
                lines.place(places)

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Lift the edges out of the faces."""
        for actor in self._edges.values():
            lift_lines(actor, sheet.depth_of_pixel)

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        actors = self._actors_by_look
        actors["through"].GetProperty().SetOpacity(_THROUGH)
        for look, actor in self._edges.items():
            paint(actor, theme.body_edge, 0.4 if look == "through" else 1.0)
        for role, colour in (("master", theme.master), ("slave", theme.slave)):
            paint(actors[role], colour, actors[role].GetProperty().GetOpacity())

    def refresh(self, content: SceneContent) -> None:
        """Draw the surfaces in the colours of their parts, those of ground in that of bodies."""
        super().refresh(content)
        table = group_table(len(content.system.parts) if content.system is not None else 0, self.theme)
        for look in ("solid", "through"):
            paint_values(self._actors_by_look[look], table, cells=True)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there are such surfaces."""
        return content.system is not None and bool(content.system.surfaces)


def _look(surface: ShownSurface, content: SceneContent) -> str:
    for role, name in zip(("master", "slave"), content.touching, strict=True):
        if surface.name == name:
            return role
    return "solid" if surface.solid else "through"


def _places(content: SceneContent, numbers: list[int]) -> np.ndarray:
    places = (
        [] if content.system is None else [content.system.surface_places(i, content.poses) for i in numbers]
    )
    return np.concatenate([np.zeros((0, 3)), *places])
