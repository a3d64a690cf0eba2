"""What is painted over the 3D view: the lit face with its name at the pointer, measurements, handles."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from faying_app.scene.camera import CameraPose
from faying_app.scene.part_handles import PartHandle, part_handles, selected_part
from faying_app.scene.scene import Scene
from faying_app.scene.section_handles import handles_of

_BESIDE = QPointF(16.0, 20.0)  # pixels from the pointer to what is written there
_MARGIN = 5.0


@dataclass(frozen=True, eq=False)
class Lit:
    """What is under the pointer.

    Attributes:
        outlines: closed, each (k, 3) points in space.
        words: what is written beside the pointer, in lines.
        at: pixel of the pointer, from the upper left.
        pose: of the camera through which the outlines were seen.
    """

    outlines: tuple[np.ndarray, ...]
    words: tuple[str, ...]
    at: QPointF
    pose: CameraPose


@dataclass(frozen=True, eq=False)
class MeasuredMark:
    """A measurement as it is drawn: points joined by lines, and words at their middle.

    Attributes:
        points: (n, 3).
        lines: rows of points (n_lines, k, 3) that are joined.
        words: "" while it is not complete.
    """

    points: np.ndarray
    lines: tuple[np.ndarray, ...] = ()
    words: str = ""


class Overlay(QWidget):
    """Lies over the view and lets all events through.

    Args:
        view: the widget that is drawn on.
        scene: gives pixels and colours.

    Attributes:
        lit, marks: what is under the pointer, and what is measured.
        mode: what clicks do now, "" for choosing.
        held: number of the section whose handle is under the pointer or dragged; None for none.
    """

    def __init__(self, view: QWidget, scene: Scene) -> None:
        super().__init__(view)
        self._view, self._scene = view, scene
        self.lit: Lit | None = None
        self.marks: tuple[MeasuredMark, ...] = ()
        self.mode = ""
        self.held: int | None = None
        self._moves_parts = False
        self._held_part: tuple[int, bool] | None = None  # axis and kind of the handle under the pointer
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.fit()

    def fit(self) -> None:
        """Cover the view as it is now."""
        self.setGeometry(self._view.rect())

    def light(self, lit: Lit | None) -> None:
        """Light up something else, or nothing."""
        if lit is not self.lit:
            self.lit = lit
            self.update()

    def set_marks(self, marks: Sequence[MeasuredMark]) -> None:
        """Draw these measurements."""
        self.marks = tuple(marks)
        self.update()

    def set_mode(self, words: str) -> None:
        """Say what clicks do now."""
        if words != self.mode:
            self.mode = words
            self.update()

    def hold(self, number: int | None) -> None:
        """Show that the handle of a section is taken hold of, or none."""
        if number != self.held:
            self.held = number
            self.update()

    def move_parts(self, moves: bool) -> None:
        """Show the handles of the selected part, or none."""
        self._moves_parts, self._held_part = moves, None
        self.update()

    def hold_part(self, handle: PartHandle | None) -> None:
        """Show that a handle of a part is under the pointer, or none."""
        held = None if handle is None else (handle.axis, handle.turns)
        if held != self._held_part:
            self._held_part = held
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what there is."""
        handles = handles_of(self._scene)
        part = selected_part(self._scene) if self._moves_parts else None
        if self.lit is None and not self.marks and not self.mode and not handles and part is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.lit is not None and self.lit.pose == self._scene.camera:
            self._paint_face(painter, self.lit)
        for number, (middle, way) in enumerate(handles):
            if way.any():
                self._paint_handle(painter, middle, way, number == self.held)
        for own in part_handles(self._scene, part) if part is not None else ():
            self._paint_part_handle(painter, own)
        for mark in self.marks:
            self._paint_mark(painter, mark)
        if self.mode:
            self._paint_words(painter, (self.mode,), None)
        if self.lit is not None and self.lit.words and self.lit.pose == self._scene.camera:
            self._paint_words(painter, self.lit.words, self.lit.at + _BESIDE)
        painter.end()

    def _paint_face(self, painter: QPainter, lit: Lit) -> None:
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.OddEvenFill)
        for outline in lit.outlines:
            path.addPolygon(self._polygon(outline))
            path.closeSubpath()
        colour = QColor(self._scene.theme.highlight)
        painter.setPen(QPen(colour, 1.6))
        colour.setAlpha(56)
        painter.setBrush(colour)
        painter.drawPath(path)

    def _paint_handle(self, painter: QPainter, middle: np.ndarray, way: np.ndarray, held: bool) -> None:
        """Draw an arrow both ways along the normal of a section, and a knob at its middle."""
        ratio = self.devicePixelRatioF()
        length = float(np.linalg.norm(way))
        along, across = way / length, np.array([-way[1], way[0]]) / length
        tip, wide = 9.0 * ratio, 5.0 * ratio
        path = QPainterPath()
        for sign in (1.0, -1.0):
            end = middle + sign * (way + tip * along)
            foot = middle + sign * way
            head = self._pixels(np.array([end, foot + wide * across, foot - wide * across]))
            path.addPolygon(head)
            path.closeSubpath()
        shaft = self._pixels(np.array([middle - way, middle + way]))
        colour, rim = QColor(self._scene.theme.highlight), QColor(self._scene.theme.background)
        for pen, shape in (
            (QPen(rim, 5.0), QPen(rim, 3.0)),
            (QPen(colour, 2.4 if held else 1.8), QPen(colour, 0.5)),
        ):
            painter.setPen(pen)
            painter.drawPolyline(shaft)
            painter.setPen(shape)
            painter.setBrush(pen.color())
            painter.drawPath(path)
        painter.setPen(QPen(colour, 1.8))
        painter.setBrush(colour if held else rim)
        painter.drawEllipse(self._pixels(middle[None]).at(0), 5.0, 5.0)

    def _paint_part_handle(self, painter: QPainter, handle: PartHandle) -> None:
        """Draw an arrow or ring in the colour of its axis."""
        held = (handle.axis, handle.turns) == self._held_part
        colour, rim = QColor(self._scene.theme.axes[handle.axis]), QColor(self._scene.theme.background)
        line = self._pixels(handle.line)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen in (QPen(rim, 6.0 if held else 4.0), QPen(colour, 4.0 if held else 2.0)):
            painter.setPen(pen)
            painter.drawPolyline(line)
        if handle.turns:
            return
        along = handle.line[-1] - handle.line[0]
        along = along / np.linalg.norm(along) * self.devicePixelRatioF()
        across = np.array([-along[1], along[0]])
        tip = handle.line[-1]
        painter.setPen(QPen(rim, 1.0))
        painter.setBrush(colour)
        painter.drawPolygon(
            self._pixels(np.array([tip + 12.0 * along, tip + 5.0 * across, tip - 5.0 * across]))
        )

    def _paint_mark(self, painter: QPainter, mark: MeasuredMark) -> None:
        colour, rim = QColor(self._scene.theme.highlight), QColor(self._scene.theme.background)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for line in mark.lines:
            for pen in (QPen(rim, 4.0), QPen(colour, 1.8)):
                painter.setPen(pen)
                painter.drawPolyline(self._polygon(line))
        painter.setPen(QPen(rim, 1.2))
        painter.setBrush(colour)
        spots = self._polygon(mark.points)
        for i in range(spots.size()):
            painter.drawEllipse(spots.at(i), 4.0, 4.0)
        if mark.words:
            middle = self._polygon(np.concatenate([mark.points, *mark.lines]).mean(axis=0)[None]).at(0)
            self._paint_words(painter, tuple(mark.words.splitlines()), middle + QPointF(10.0, 10.0))

    def _paint_words(self, painter: QPainter, lines: tuple[str, ...], at: QPointF | None) -> None:
        """Write lines on a plate from a place on, kept within the view; without a place at its top."""
        metrics = QFontMetricsF(self.font())
        wide = max(metrics.horizontalAdvance(line) for line in lines) + 2 * _MARGIN
        high = metrics.height() * len(lines) + 2 * _MARGIN
        if at is None:
            at = QPointF((self.width() - wide) / 2, 8.0)
        left = max(min(at.x(), self.width() - wide - 2.0), 2.0)
        top = at.y() if at.y() + high < self.height() - 2.0 else max(at.y() - high - 2 * _BESIDE.y(), 2.0)
        panel = QColor(self._scene.theme.panel)
        panel.setAlpha(225)
        painter.setPen(QPen(QColor(self._scene.theme.line), 0.8))
        painter.setBrush(panel)
        painter.drawRoundedRect(QRectF(left, top, wide, high), 3.0, 3.0)
        painter.setPen(QColor(self._scene.theme.text))
        for i, line in enumerate(lines):
            painter.drawText(
                QPointF(left + _MARGIN, top + _MARGIN + i * metrics.height() + metrics.ascent()), line
            )

    def _polygon(self, points: np.ndarray) -> QPolygonF:
        return self._pixels(self._scene.pixels(points))

    def _pixels(self, places: np.ndarray) -> QPolygonF:
        """Return places of the widget of device pixels (n, 2) counted from the lower left."""
        ratio = self.devicePixelRatioF()
        return QPolygonF([QPointF(x / ratio, self.height() - 1 - y / ratio) for x, y in places])
