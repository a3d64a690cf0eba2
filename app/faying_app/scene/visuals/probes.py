"""Probes: nodes with their number and value written beside them."""

import numpy as np

from faying_app.scene.actors import (
    paint,
    paint_text,
    plain_text,
    point_actor,
    show,
    text_actor,
)
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.labels import Spot, label_corner
from faying_app.scene.meshes import PointMesh
from faying_app.scene.number_texts import common_power, number_text
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.writing import TEXT, Writing

_MOST = 24


def probe_text(content: SceneContent, row: int) -> str:
    """Return what is written beside a probed node: name and value; where nothing is computed, its place."""
    text, frame = node_name(content, row), content.frame
    if frame is None and content.model is not None:
        unit, factor = content.unit_of("length")
        x, y, z = factor * content.model.nodes[row]
        return f"{text}\n{x:.5g}, {y:.5g}, {z:.5g} {unit}"
    if frame is None or frame.values_at is None or frame.field is None:
        return text
    value = float(frame.values_at[row])
    if value != value:
        return f"{text}\nno value"
    if frame.field.states:
        return f"{text}\n{frame.field.states[round(value)]}"
    unit, factor = content.field_unit
    power = common_power(factor * value, factor * value)
    shown = number_text(factor * value, power, digits=4)
    words = f"{shown}e{power}" if power else shown
    told = "of the largest" if unit == "relative" else unit
    return f"{text}\n{words} {told}".rstrip()


def node_name(content: SceneContent, row: int) -> str:
    """Return what a node is called: "node 12", or "rod node 12" for a part of a system."""
    part, number = node_number(content, row)
    return f"{part} node {number}".lstrip()


def node_number(content: SceneContent, row: int) -> tuple[str, int]:
    """Return the part of a system that a node belongs to, "" for a body, and its number in the FE model."""
    assert content.model is not None
    for part in content.system.parts if content.system is not None else ():
        if part.rows.start <= row < part.rows.stop:
            return part.name, int(part.node_ids[row - part.rows.start])
    return "", int(content.model.node_ids[row])


def row_of_node(content: SceneContent, part: str, number: int) -> int | None:
    """Return the row of a node that `node_number` gives, None when the shown model has it no more."""
    assert content.model is not None
    ids, first = content.model.node_ids, 0
    if content.system is not None:
        shown = next((each for each in content.system.parts if each.name == part), None)
        ids, first = (shown.node_ids, shown.rows.start) if shown is not None else (ids[:0], 0)
    found = np.flatnonzero(ids == number)
    return first + int(found[0]) if len(found) else None


@visuals.register("probes")
class ProbesVisual(Visual):
    """Draws a point and a plate with the value for each probe."""

    title = "Probes"
    reads = frozenset({"model"})
    keeps_clear = True

    def make(self) -> None:
        """Make points and plates."""
        self._rims = self.add(point_actor(14.0, in_front=True))
        self._points = self.add(point_actor(9.0, in_front=True))
        self._of: tuple[int, ...] = ()
        self._mesh: PointMesh | None = None
        self.labels: list[Writing] = [self.add(text_actor(bold=True)) for _ in range(_MOST)]

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        if content.model is None:
            return
        if self._of != content.probes:
            self._of = content.probes
            self._mesh = PointMesh(np.array(content.probes, np.int64), content.positions_at)
            show(self._rims, self._mesh.drawn)
            show(self._points, self._mesh.drawn)
        elif self._mesh is not None and content.probes:
            self._mesh.place(content.positions_at)

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray:
        """Return the probed nodes."""
        return np.array(content.probes, np.int64)

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Write the values beside the points, clear of legend, caption and borders."""
        for actor, size in ((self._rims, 14.0), (self._points, 9.0)):
            actor.GetProperty().SetPointSize(content.display.marker_size * size * sheet.scale)
        rows = content.probes[:_MOST] if self.is_shown(content) else ()
        spots = sheet.pixels(content.positions_at[list(rows)].reshape(-1, 3))
        for i, label in enumerate(self.labels):
            label.SetVisibility(i < len(rows))
            if i < len(rows):
                label.SetInput(plain_text(probe_text(content, rows[i])))
                label.set_pixels(TEXT * sheet.scale)
                self._place(label, (float(spots[i][0]), float(spots[i][1])), sheet)

    def _place(self, label: Writing, point: Spot, sheet: Sheet) -> None:
        box, view = label.box, (sheet.width, sheet.height)
        size, away = (box[2] - box[0], box[3] - box[1]), (8 * sheet.scale, 6 * sheet.scale)
        left, bottom = label_corner(point, size, away, view, sheet.plates)
        label.SetPosition(left - box[0], bottom - box[1])

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self._rims, theme.background)
        paint(self._points, theme.highlight)
        for label in self.labels:
            paint_text(label, theme.text, theme)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether anything is probed; an opened joint is elsewhere."""
        return content.model is not None and bool(content.probes) and not content.is_opened
