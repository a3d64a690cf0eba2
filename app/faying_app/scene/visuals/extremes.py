"""The largest and the smallest value of the shown field, marked where they are."""

import numpy as np

from faying_app.scene.actors import paint, paint_text, plain_text, point_actor, show, text_actor, unlit
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import Content
from faying_app.scene.labels import label_corner
from faying_app.scene.meshes import point_data
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.writing import TEXT, Writing

_FEW, _SHARE = 4, 0.02  # nodes that may share an extreme
_SAME = 1e-9  # of the span: values that differ by less are one, and in several places at once


def extreme_nodes(content: Content) -> list[tuple[str, int]]:
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
    """Draws a ring at each of both places, and writes the value beside it."""

    title = "Largest and smallest value"
    reads = frozenset({"model"})
    keeps_clear = True

    def make(self) -> None:
        """Make rings, points and writing."""
        self._rims = self.add(point_actor(11.0, in_front=True))
        self._points = self.add(point_actor(6.0, in_front=True))
        for actor in (self._rims, self._points):
            unlit(actor)
        self._points.GetMapper().SetRelativeCoincidentTopologyPointOffsetParameter(-2.0e5)
        self.labels: list[Writing] = [self.add(text_actor(bold=True)) for _ in range(2)]
        self.nodes: list[tuple[str, int]] = []

    def choose_detail(self, content: Content, moving: bool) -> None:
        """Find both places, once all values of the frame are known."""
        self.nodes = extreme_nodes(content) if self.is_shown(content) else []
        places = content.positions_at[[row for _, row in self.nodes]].reshape(-1, 3) if self.nodes else None
        for actor in (self._rims, self._points):
            show(actor, point_data(np.zeros((0, 3)) if places is None else places))

    def write(self, content: Content, sheet: Sheet) -> None:
        """Write the values beside the places, clear of legend, caption and borders."""
        for i, label in enumerate(self.labels):
            label.SetVisibility(i < len(self.nodes) and self.is_shown(content))
            if i >= len(self.nodes) or content.frame is None or content.frame.values_at is None:
                continue
            name, row = self.nodes[i]
            label.SetInput(plain_text(f"{name} {content.value_text(float(content.frame.values_at[row]))}"))
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
        paint(self._rims, theme.text)
        paint(self._points, theme.panel)
        for label in self.labels:
            paint_text(label, theme.text, theme)

    def is_relevant(self, content: Content) -> bool:
        """Return whether a field with numbers is shown; an opened joint is elsewhere."""
        return content.frame is not None and content.frame.field is not None and not content.is_opened
