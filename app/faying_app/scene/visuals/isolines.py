"""Lines of equal value on the coloured surface, with their numbers."""

import numpy as np
import pyvista as pv
from vtkmodules.vtkFiltersCore import vtkContourFilter
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from faying_app.scene.actors import lift_lines, line_actor, paint, paint_text, plain_text, show, text_actor
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import SurfaceMesh
from faying_app.scene.number_texts import common_power, number_text, ticks
from faying_app.scene.visuals import NO_NODES, Sheet, Visual, visuals
from faying_app.scene.visuals.joint_field import shown_surface
from faying_app.scene.writing import NOTE, Writing

_MOST_LABELS = 24
_EVEN = 1e-6  # by what steps between even colours may differ, as a share
_APART = 26.0  # design pixels between two numbers
_ROOM = 16.0, 9.0  # from the middle of a number to its sides


def isoline_actor() -> vtkActor:
    """Return an actor for lines of equal value."""
    return line_actor(1.4)


def isoline_filter() -> vtkContourFilter:
    """Return a filter that finds lines of equal value on a surface."""
    made = vtkContourFilter()
    made.SetComputeNormals(False)
    return made


def levels_of(content: SceneContent) -> np.ndarray:
    """Return (n,) the values that lines of equal value are drawn of: round numbers, about as many as are wanted.

    Where colours are not linear in the values, as with a logarithm, the values are evenly spaced along the colours.
    """
    wanted, colouring = content.display.isolines, content.colouring
    evenly = colouring.values_at(np.linspace(0.0, 1.0, wanted + 2))
    steps = np.diff(evenly)
    if not len(steps) or steps.max() - steps.min() > _EVEN * abs(steps).max():
        return evenly[1:-1]
    # Round as they are told: in the unit of the legend.
    factor = content.field_unit[1]
    low, high = factor * float(evenly[0]), factor * float(evenly[-1])
    candidates = [ticks(low, high, count) for count in range(2, 2 * wanted + 4)]
    inside = [found[(found > low) & (found < high)] for found in candidates]
    return np.asarray(min(inside, key=lambda found: abs(len(found) - wanted)) / factor)


def find_lines(found: vtkContourFilter, levels: np.ndarray, actor: vtkActor, theme: SceneTheme) -> None:
    """Let an actor draw the lines of some values on the input of a filter."""
    found.SetNumberOfContours(len(levels))
    for i, value in enumerate(levels):
        found.SetValue(i, float(value))
    found.Update()
    show(actor, found.GetOutput())
    paint(actor, theme.text, 0.8)


@visuals.register("isolines")
class IsolinesVisual(Visual):
    """Draws about as many lines as wanted, at round numbers between the limits of the colours."""

    title = "Lines of equal value"
    reads = frozenset({"model", "context"})
    keeps_clear = True

    def make(self) -> None:
        """Make the actor and the filter behind it."""
        self.lines = self.add(isoline_actor())
        self.on_faces: list[vtkActor] = []  # lines on the faces of sections, which get numbers, too
        # The lines keep the values that they belong to: the numbers beside them.
        self.labels: list[Writing] = [self.add(text_actor()) for _ in range(_MOST_LABELS)]
        for label in self.labels:
            label.GetTextProperty().SetJustificationToCentered()
            label.GetTextProperty().SetVerticalJustificationToCentered()
        self._filter = isoline_filter()
        self._mesh: SurfaceMesh | None = None
        self._of: object = None
        self._levels = np.zeros(0)

    def build(self, content: SceneContent) -> None:
        """Forget the surface of another model or result."""
        self._mesh = self._of = None

    def move(self, content: SceneContent) -> None:
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
        self._levels = levels_of(content)
        find_lines(self._filter, self._levels, self.lines, self.theme)

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray | None:
        """Return None for all nodes when lines are wanted: they run over the whole surface."""
        return None if content.display.isolines > 0 else NO_NODES

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Lift the lines, which cross facets that are seen from the side, and write a number beside each value's."""
        lift_lines(self.lines, sheet.depth_of_pixel)
        mappers = [actor.GetMapper() for actor in (*self.on_faces, self.lines)]
        spots = _spots(mappers, self._levels, sheet) if self.is_shown(content) else []
        factor = content.field_unit[1] if spots else 1.0
        largest = factor * max((abs(value) for value, _ in spots), default=0.0)
        power = common_power(-largest, largest)
        for i, label in enumerate(self.labels):
            label.SetVisibility(i < len(spots))
            if i < len(spots):
                value, place = spots[i]
                label.SetInput(plain_text(number_text(factor * value, power)))
                label.set_pixels(NOTE * sheet.scale)
                label.SetPosition(*place)

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for label in self.labels:
            paint_text(label, theme.text, theme)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether lines are wanted, of values that change smoothly."""
        frame = content.frame
        if frame is None or frame.field is None or content.is_opened:
            return False
        return content.display.isolines > 0 and frame.field.colours != "status"


def _spots(
    mappers: list[vtkPolyDataMapper], levels: np.ndarray, sheet: Sheet
) -> list[tuple[float, np.ndarray]]:
    """Return values and places (2,) in pixels for the numbers of lines that have room, on the side that is seen.

    Lines of the first mappers come first.
    """
    found: list[tuple[float, np.ndarray]] = []
    named: set[int] = set()
    for mapper in mappers:
        drawn = pv.wrap(mapper.GetInput())
        if not drawn.n_points or drawn.GetPointData().GetScalars() is None:
            continue
        values, points = np.asarray(drawn.active_scalars), np.asarray(drawn.points)
        places, nearness = sheet.pixels(points), points @ sheet.axes[2]
        inside = (places > 0.0).all(axis=1) & (places < [sheet.width, sheet.height]).all(axis=1)
        wide, high = _ROOM[0] * sheet.scale, _ROOM[1] * sheet.scale
        for left, bottom, right, top in sheet.plates:  # names and the legend stay readable
            inside &= ~((places > [left - wide, bottom - high]) & (places < [right + wide, top + high])).all(
                axis=1
            )
        planes = mapper.GetClippingPlanes()
        for i in range(planes.GetNumberOfItems() if planes is not None else 0):
            plane = planes.GetItem(i)
            inside &= (points - plane.GetOrigin()) @ plane.GetNormal() > 0.0  # what a section leaves
        nearest = np.abs(values[:, None] - levels).argmin(axis=1)
        for level, value in enumerate(levels[:_MOST_LABELS]):
            if level in named:
                continue
            own = np.flatnonzero((nearest == level) & inside)
            for row in own[np.argsort(-nearness[own])][::8]:
                if all(np.linalg.norm(places[row] - other) > _APART * sheet.scale for _, other in found):
                    found.append((float(value), places[row]))
                    named.add(level)
                    break
    return found
