"""The section: a plane cuts surfaces away, and the cut through the material is filled."""

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonDataModel import vtkPlane
from vtkmodules.vtkFiltersCore import vtkPlaneCutter
from vtkmodules.vtkRenderingCore import vtkActor

from faying.fem.elements import element_kinds
from faying.fem.model import FeModel
from faying_app.scene.actors import paint, paint_values, show, surface_actor
from faying_app.scene.colours import SceneTheme, lookup_table
from faying_app.scene.content import Content, CuttingPlane
from faying_app.scene.visuals import NO_NODES, Sheet, Visual, visuals
from faying_app.scene.visuals.body import GHOST_OPACITY, BodyVisual

# What a section leaves whole: writing, marks, and what stands for the undeformed body.
_WHOLE = ("undeformed", "symbols", "probes", "book", "section")
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


def plane_of(section: CuttingPlane, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return origin and normal (3,) of a section through points (n, 3); the normal points to what stays."""
    normal = -np.asarray(section.normal, float)
    along = points @ normal
    low, high = float(along.min()), float(along.max())
    # A section at the very end would leave nothing, or flicker on the end face.
    place = high - np.clip(section.at, 0.001, 0.999) * (high - low)
    return points.mean(axis=0) + (place - along.mean()) * normal, normal


@visuals.register("section")
class SectionVisual(Visual):
    """Cuts what the other visuals draw, and draws the cut through the body in its colours."""

    title = "Section"
    reads = frozenset({"model"})

    def make(self) -> None:
        """Make the plane and the face of the cut."""
        self.face = self.add(surface_actor())
        self.ghost = self.add(surface_actor())
        self.plane, self._beyond = vtkPlane(), vtkPlane()
        self.ghost.GetMapper().AddClippingPlane(self._beyond)
        self.ghost.GetProperty().SetBackfaceCulling(True)
        self._skin: vtkActor | None = None
        self._cutter = vtkPlaneCutter()
        self._cutter.SetPlane(self.plane)
        self._cutter.SetComputeNormals(False)
        self._cutter.SetGeneratePolygons(True)
        self._grid: pv.UnstructuredGrid | None = None
        self._known = self._cuts = False

    def build(self, content: Content) -> None:
        """Forget the elements of another model; they are taken when they are cut."""
        self._grid, self._known = None, False

    def move(self, content: Content) -> None:
        """Follow the frame."""
        section = content.look.section
        if section is None or content.model is None:
            return
        nodes = content.positions[content.skin.nodes] if content.skin is not None else content.positions
        origin, normal = plane_of(section, nodes)
        self.plane.SetOrigin(*origin)
        self.plane.SetNormal(*normal)
        self._beyond.SetOrigin(*origin)
        self._beyond.SetNormal(*-normal)
        if not self._known:
            self._known, self._grid = True, volume_grid(content.model)
        if self._grid is None:
            return
        self._grid.points = content.positions
        frame = content.frame
        coloured = frame is not None and frame.values is not None and not content.shows_joint_field
        if coloured:
            assert frame is not None and frame.values is not None and frame.field is not None
            self._grid.point_data["values"] = frame.values
            self._grid.set_active_scalars("values")
            table = lookup_table(content.colouring, self.theme)
            paint_values(self.face, table)
        else:
            self._grid.point_data.clear()
            paint_values(self.face, None)
        self._cutter.SetInputData(self._grid)
        self._cutter.Update()
        show(self.face, pv.wrap(self._cutter.GetOutput()))
        paint(self.face, self.theme.body)

    def nodes_in_motion(self, content: Content) -> np.ndarray | None:
        """Return None for all nodes when there is a section: it runs through the whole body."""
        return None if content.look.section is not None else NO_NODES

    def is_relevant(self, content: Content) -> bool:
        """Return whether there is a section through a solid body."""
        return content.look.section is not None and content.model is not None and not content.is_opened

    def write(self, content: Content, sheet: Sheet) -> None:
        """Draw what is left out of the skin as a ghost: of the mesh that the body is drawn with in this picture."""
        section = content.look.section
        shown = self.is_shown(content) and section is not None and section.ghost and self._skin is not None
        self.ghost.SetVisibility(shown)
        if shown and self._skin is not None:
            self.ghost.GetMapper().SetInputDataObject(self._skin.GetMapper().GetInput())

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self.ghost, theme.ghost, GHOST_OPACITY)

    def cut(self, content: Content, others: dict[str, Visual]) -> None:
        """Let the plane cut what the others draw, or nothing without a section."""
        body = others["body"]
        assert isinstance(body, BodyVisual)
        self._skin = body.skin
        cuts, cut = self.is_relevant(content), self._cuts
        self._cuts = cuts
        if not (cuts or cut):
            return
        for kind, visual in others.items():
            if kind == "section":
                continue  # its ghost has a plane of its own
            for actor in visual.surfaces():
                mapper = actor.GetMapper()
                mapper.RemoveAllClippingPlanes()
                if cuts and kind not in _WHOLE:
                    mapper.AddClippingPlane(self.plane)
