"""The largest and the smallest value of the shown field, marked where they are."""

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor

from faying_app.scene.actors import paint, paint_text, plain_text, point_actor, show, text_actor, unlit
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.cutting import planes_in_space
from faying_app.scene.hidden import Sight, sight_of
from faying_app.scene.labels import label_corner
from faying_app.scene.meshes import facet_triangles, point_data
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.writing import TEXT, Writing

_FEW, _SHARE = 4, 0.02  # nodes that may share an extreme
_SAME = 1e-9  # of the span: values that differ by less are one, and in several places at once


def extreme_nodes(content: SceneContent) -> list[tuple[str, int]]:
    """Return ("max", row) and ("min", row) of the nodes where the shown values are largest and smallest.

    One of a few that share an extreme stands for them; what many share, as the zero of open places, is at no place that
    could be marked.
    """
    frame = content.frame
    if frame is None or frame.field is None or frame.field.states or not frame.is_whole:
        return []
    values, extremes = frame.values, frame.extremes
    if values is None or extremes is None or not extremes[1] > extremes[0]:
        return []
    low, high = extremes
    near = _SAME * (high - low)
    found = []
    for name, rows in (
        ("max", np.flatnonzero(values >= high - near)),
        ("min", np.flatnonzero(values <= low + near)),
    ):
        if 0 < len(rows) <= max(_FEW, _SHARE * np.isfinite(values).sum()):
            found.append((name, int(rows[0])))
    return found


@visuals.register("extremes")
class ExtremesVisual(Visual):
    """Draws a dot at each of both places, and writes the value beside it.

    Where the body hides the place, or a section leaves it out, the dot is hollow, and the writing says so.
    """

    title = "Largest and smallest value"
    reads = frozenset({"model"})
    keeps_clear = True

    def make(self) -> None:
        """Make rings, points and writing."""
        self._seen, self._hidden = self._marks(), self._marks()
        self.labels: list[Writing] = [self.add(text_actor(bold=True)) for _ in range(2)]
        self.nodes: list[tuple[str, int]] = []
        self.sights: list[Sight] = []
        self._triangles = np.zeros((0, 3), np.int64)

    def _marks(self) -> tuple[vtkActor, vtkActor]:
        """Return actors of rims and of what is inside them."""
        rims, points = self.add(point_actor(11.0, in_front=True)), self.add(point_actor(6.0, in_front=True))
        unlit(rims)
        unlit(points)
        points.GetMapper().SetRelativeCoincidentTopologyPointOffsetParameter(-2.0e5)
        return rims, points

    def build(self, content: SceneContent) -> None:
        """Take the faces that may hide a place."""
        skin = content.skin
        self._triangles = facet_triangles(skin)[0] if skin is not None else np.zeros((0, 3), np.int64)

    def choose_detail(self, content: SceneContent, moving: bool) -> None:
        """Find both places, once all values of the frame are known."""
        self.nodes = extreme_nodes(content) if self.is_shown(content) else []

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Mark the places as they are seen now; write the values beside them, clear of legend, caption and borders."""
        places = np.array([content.positions_at[[row]][0] for _, row in self.nodes]).reshape(-1, 3)
        self.sights = [self._sight(place, content, sheet) for place in places]
        hidden = np.array([bool(sight) for sight in self.sights], bool)
        for actors, chosen in ((self._seen, ~hidden), (self._hidden, hidden)):
            for actor in actors:
                show(actor, point_data(places[chosen]))
        for i, label in enumerate(self.labels):
            label.SetVisibility(i < len(self.nodes) and self.is_shown(content))
            if i >= len(self.nodes) or content.frame is None or content.frame.values_at is None:
                continue
            name, row = self.nodes[i]
            told = f"{name} {content.value_text(float(content.frame.values_at[row]))}"
            label.SetInput(plain_text(f"{told} ({self.sights[i]})" if self.sights[i] else told))
            label.set_pixels(TEXT * sheet.scale)
            box = label.box
            x, y = sheet.pixels(content.positions_at[[row]].reshape(-1, 3))[0]
            size, away = (box[2] - box[0], box[3] - box[1]), (8 * sheet.scale, 6 * sheet.scale)
            left, bottom = label_corner(
                (float(x), float(y)), size, away, (sheet.width, sheet.height), sheet.plates
            )
            label.SetPosition(left - box[0], bottom - box[1])
            sheet.plates.append((left, bottom, left + size[0], bottom + size[1]))

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for (rims, points), inside in ((self._seen, theme.text), (self._hidden, theme.panel)):
            paint(rims, theme.panel if inside == theme.text else theme.text)
            paint(points, inside)
        for label in self.labels:
            paint_text(label, theme.text, theme)

    def _sight(self, place: np.ndarray, content: SceneContent, sheet: Sheet) -> Sight:
        """Return whether a place is seen; through glass and on sections all is."""
        if content.body_look != "solid":
            return ""
        return sight_of(place, self._triangles, content.positions, sheet.axes, planes_in_space(content))

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether a field with numbers is shown; an opened joint is elsewhere."""
        return content.frame is not None and content.frame.field is not None and not content.is_opened
