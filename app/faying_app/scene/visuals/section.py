"""Sections: planes cut surfaces away, and the cuts through the material are filled."""

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonDataModel import vtkPlane
from vtkmodules.vtkFiltersCore import vtkPlaneCutter
from vtkmodules.vtkRenderingCore import vtkActor

from faying.fem.elements import element_kinds
from faying.fem.model import FeModel
from faying_app.scene.actors import lift_lines, paint, paint_values, show, surface_actor
from faying_app.scene.colours import SceneTheme, lookup_table
from faying_app.scene.content import SceneContent
from faying_app.scene.cutting import PlaneInSpace, planes_in_space
from faying_app.scene.visuals import NO_NODES, Sheet, Visual, visuals
from faying_app.scene.visuals.body import GHOST_OPACITY, BodyVisual
from faying_app.scene.visuals.isolines import (
    IsolinesVisual,
    find_lines,
    isoline_actor,
    isoline_filter,
    levels_of,
)

# What a section leaves whole: writing, marks, and what stands for the undeformed body.
_WHOLE = ("undeformed", "symbols", "probes", "extremes", "book", "section")
# Quadratic cells of VTK and the linear ones at their corners: quick to cut, and as exact as the triangles of the skin.
_LINEAR = {24: (10, 4), 25: (12, 8), 26: (13, 6), 27: (14, 5)}


def volume_grid(model: FeModel) -> pv.UnstructuredGrid | None:
    """Return the solid elements of a model by their corners, None when it has none."""
    cells, types = [], []
    for block in model.blocks:
        kind = element_kinds[block.element]
        order = list(kind.vtk_order)
        vtk_type, count = _LINEAR.get(kind.vtk_type, (kind.vtk_type, len(order)))
        if vtk_type < 10 or kind.is_outline or not len(block.ids):
            continue
        corners = block.connectivity[:, order[:count]]
        cells.append(np.column_stack([np.full(len(corners), count), corners]).ravel())
        types.append(np.full(len(corners), vtk_type, np.uint8))
    if not cells:
        return None
    return pv.UnstructuredGrid(np.concatenate(cells), np.concatenate(types), np.array(model.nodes))


class _Cut:
    """One section: its planes, the face of the cut with lines of equal value, and what it leaves out."""

    def __init__(self, face: vtkActor, ghost: vtkActor, lines: vtkActor) -> None:
        self.face, self.ghost, self.lines = face, ghost, lines
        self.isolines = isoline_filter()
        self.plane, self.beyond = vtkPlane(), vtkPlane()
        ghost.GetProperty().SetBackfaceCulling(True)
        self._cutter = vtkPlaneCutter()
        self._cutter.SetPlane(self.plane)
        self._cutter.SetComputeNormals(False)
        self._cutter.SetGeneratePolygons(True)

    def stand(self, place: PlaneInSpace) -> None:
        """Put the planes to a place."""
        for plane, side in ((self.plane, 1.0), (self.beyond, -1.0)):
            plane.SetOrigin(*place.origin)
            plane.SetNormal(*(side * place.normal))

    def fill(self, grid: pv.UnstructuredGrid) -> None:
        """Draw the cut through a grid."""
        self._cutter.SetInputData(grid)
        self._cutter.Update()
        show(self.face, pv.wrap(self._cutter.GetOutput()))


@visuals.register("section")
class SectionVisual(Visual):
    """Cuts what the other visuals draw, and draws the cuts through the body in its colours."""

    title = "Section"
    reads = frozenset({"model"})

    def make(self) -> None:
        """Make nothing yet: planes and faces come with the first section."""
        self._every: list[_Cut] = []
        self._n_cuts = 0
        self._skin: vtkActor | None = None
        self._grid: pv.UnstructuredGrid | None = None
        self._known = self._cuts = self._lined = False

    @property
    def cuts(self) -> list[_Cut]:
        """The sections that are shown now."""
        return self._every[: self._n_cuts]

    def build(self, content: SceneContent) -> None:
        """Forget the elements of another model; they are taken when they are cut."""
        self._grid, self._known = None, False

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        places = planes_in_space(content)
        self._n_cuts = len(places)
        if content.model is None or not places:
            return
        while len(self._every) < len(places):
            self._every.append(
                _Cut(self.add(surface_actor()), self.add(surface_actor()), self.add(isoline_actor()))
            )
            paint(self._every[-1].ghost, self.theme.ghost, GHOST_OPACITY)
        for i, (cut, place) in enumerate(zip(self.cuts, places, strict=True)):
            cut.stand(place)
            # A piece that several planes leave out is a ghost once.
            _clip(cut.ghost, [cut.beyond, *(other.plane for other in self.cuts[:i])])
        if not self._known:
            self._known, self._grid = True, volume_grid(content.model)
        if self._grid is None:
            for cut in self.cuts:
                show(cut.face, pv.PolyData())  # not those of another model
            return
        self._grid.points = content.positions
        frame, table = content.frame, None
        if frame is not None and frame.values is not None and not content.shows_joint_field:
            self._grid.point_data["values"] = frame.values
            self._grid.set_active_scalars("values")
            table = lookup_table(content.colouring, self.theme)
        else:
            self._grid.point_data.clear()
        for cut in self.cuts:
            paint_values(cut.face, table)
            cut.fill(self._grid)
            paint(cut.face, self.theme.body)
            if _has_lines(content):
                cut.isolines.SetInputData(cut.face.GetMapper().GetInput())
                find_lines(cut.isolines, levels_of(content), cut.lines, self.theme)
            # A face ends where another plane cuts.
            for actor in (cut.face, cut.lines):
                _clip(actor, [other.plane for other in self.cuts if other is not cut])

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray | None:
        """Return None for all nodes when there is a section: it runs through the whole body."""
        return None if content.display.sections else NO_NODES

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there is a section through a solid body."""
        return bool(self._n_cuts) and content.model is not None and not content.is_opened

    def refresh(self, content: SceneContent) -> None:
        """Show the faces of the sections that there are."""
        super().refresh(content)
        for cut in self._every[self._n_cuts :]:
            for actor in (cut.face, cut.ghost, cut.lines):
                actor.SetVisibility(False)
        self._lined = self.is_shown(content) and _has_lines(content)
        for cut in self.cuts:
            cut.lines.SetVisibility(self._lined)

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Draw what is left out of the skin as a ghost: of the mesh that the body is drawn with in this picture."""
        shown = self.is_shown(content) and content.display.section_ghost and self._skin is not None
        for cut in self.cuts:
            lift_lines(cut.lines, sheet.depth_of_pixel)
            cut.ghost.SetVisibility(shown)
            if shown and self._skin is not None:
                cut.ghost.GetMapper().SetInputDataObject(self._skin.GetMapper().GetInput())

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for cut in self._every:
            paint(cut.ghost, theme.ghost, GHOST_OPACITY)

    def cut(self, content: SceneContent, others: dict[str, Visual]) -> None:
        """Let the planes cut what the others draw, or nothing without a section."""
        body = others["body"]
        assert isinstance(body, BodyVisual)
        self._skin = body.skin
        isolines = others["isolines"]
        assert isinstance(isolines, IsolinesVisual)
        isolines.on_faces = [each.lines for each in self.cuts] if self._lined else []
        cuts, cut = self.is_relevant(content), self._cuts
        self._cuts = cuts
        if not (cuts or cut):
            return
        planes = [each.plane for each in self.cuts] if cuts else []
        for kind, visual in others.items():
            if kind == "section":
                continue  # its faces and ghosts have planes of their own
            for actor in visual.surfaces():
                _clip(actor, planes if kind not in _WHOLE else [])


def _has_lines(content: SceneContent) -> bool:
    frame = content.frame
    if frame is None or frame.field is None or content.shows_joint_field:
        return False
    return content.display.isolines > 0 and frame.field.colours != "status"


def _clip(actor: vtkActor, planes: list[vtkPlane]) -> None:
    mapper = actor.GetMapper()
    mapper.RemoveAllClippingPlanes()
    for plane in planes:
        mapper.AddClippingPlane(plane)
