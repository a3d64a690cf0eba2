"""Pictures for print: the model as pixels, all that is written over it as letters and lines."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QGuiApplication,
    QImage,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPdfWriter,
    QPen,
    QPolygonF,
)
from PySide6.QtSvg import QSvgGenerator
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkActor2D

from faying.errors import FayingError
from faying.exporters.content import FontName
from faying_app.plotting.svg_fonts import name_fonts
from faying_app.scene.page_head import qt_family
from faying_app.scene.picture import Photographer
from faying_app.scene.writing import HALO, Writing

_POINTS = 72.0
_SCREEN_DPI = 96


class VectorFile:
    """A drawing (.svg) or page (.pdf) that is painted in pixels.

    Args:
        path: of the file; its ending says which.
        kind: "svg" or "pdf".
        size: width and height in pixels.
        dpi: pixels per inch; 0 for those of a screen.
        title: of the file.

    Raises:
        FayingError: when it cannot be written.
    """

    def __init__(self, path: Path, kind: str, size: tuple[int, int], dpi: int, title: str) -> None:
        # Axes of curves are replayed from drawings of the screen's resolution, which another one would enlarge.
        screen = QGuiApplication.primaryScreen()
        resolution = round(screen.logicalDotsPerInch()) if screen is not None else _SCREEN_DPI
        shrunk = resolution / dpi if dpi else 1.0
        self._device: QPaintDevice
        self._svg = path if kind == "svg" else None
        if kind == "svg":
            drawing = QSvgGenerator()
            drawing.setFileName(str(path))
            drawing.setSize((QSizeF(*size) * shrunk).toSize())
            drawing.setViewBox(QRectF(0.0, 0.0, size[0] * shrunk, size[1] * shrunk))
            drawing.setResolution(resolution)
            drawing.setTitle(title)
            self._device = drawing
        else:
            page = QPdfWriter(str(path))
            page.setResolution(resolution)
            page.setPageSize(QPageSize(QSizeF(*size) * (_POINTS * shrunk / resolution), QPageSize.Unit.Point))
            page.setPageMargins(QMarginsF(0, 0, 0, 0))
            page.setTitle(title)
            self._device = page
        self.painter = QPainter()
        if not self.painter.begin(self._device):
            raise FayingError(f"{path} cannot be written.", "Choose another place.")
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.painter.scale(shrunk, shrunk)

    def close(self) -> None:
        """Finish the file."""
        self.painter.end()
        if self._svg is not None:
            name_fonts(self._svg)


def paint_view(painter: QPainter, camera: Photographer, place: QPointF, font: FontName) -> None:
    """Paint what a scene shows: its bodies as a picture, what is written over them as letters and lines.

    Args:
        painter: on the page; its units are the scene's pixels.
        camera: has the scene.
        place: of the upper left corner.
        font: of the letters.
    """
    camera.draw()  # lays out what is written
    stage = camera.scene.stage
    flats = [actor for visual in stage.visuals.values() for actor in visual.flats() if actor.GetVisibility()]
    texts = [text for visual in stage.visuals.values() for text in visual.written if text.GetVisibility()]
    renderer, over = stage.renderer, [*flats, *texts]
    for actor in over:
        renderer.RemoveViewProp(actor)
    picture = np.ascontiguousarray(camera.take())
    for actor in over:
        renderer.AddViewProp(actor)
    height, width, _ = picture.shape
    image = QImage(picture.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
    painter.save()
    painter.translate(place)
    painter.drawImage(QRectF(0.0, 0.0, width, height), image)
    for actor in flats:
        _paint_flat(painter, actor, height)
    for text in texts:
        _paint_text(painter, text, height, font)
    painter.restore()


def _paint_flat(painter: QPainter, actor: vtkActor2D, height: int) -> None:
    """Paint quads and lines in pixels."""
    drawn: Any = actor.GetMapper().GetInput()
    scalars = drawn.GetCellData().GetScalars()
    if scalars is None or not drawn.GetNumberOfPoints():
        return
    points, colours = vtk_to_numpy(drawn.GetPoints().GetData()), vtk_to_numpy(scalars)
    number = 0
    for cells, closed in ((drawn.GetLines(), False), (drawn.GetPolys(), True)):  # VTK numbers lines first
        starts, rows = (
            vtk_to_numpy(part) for part in (cells.GetOffsetsArray(), cells.GetConnectivityArray())
        )
        for first, end in pairwise(starts):
            corners = QPolygonF([QPointF(x, height - y) for x, y, _ in points[rows[first:end]].tolist()])
            colour = QColor(*(int(value) for value in colours[number]))
            number += 1
            if closed:
                # A hair's breadth of rim: else the background shows between stripes of a colour map.
                painter.setPen(QPen(colour, 0.3))
                painter.setBrush(colour)
                painter.drawPolygon(corners)
            else:
                painter.setPen(QPen(colour, actor.GetProperty().GetLineWidth()))
                painter.drawPolyline(corners)


def _paint_text(painter: QPainter, text: Writing, height: int, name: FontName) -> None:
    """Paint letters where the scene has them, with their halo."""
    words = text.GetInput().replace("\\$", "$").replace("\u2223", "|")
    if not words:
        return
    x, y = text.GetPosition()
    left, bottom, right, top = text.box
    lines, look = words.split("\n"), text.GetTextProperty()
    letters = QFont(qt_family(name, bold=text.is_bold))
    letters.setBold(text.is_bold)
    letters.setPixelSize(max(round(text.pixels), 1))
    painter.setFont(letters)
    metrics, step = painter.fontMetrics(), (top - bottom) / len(lines)
    colour, rim = (QColor.fromRgbF(*part) for part in (look.GetColor(), look.GetBackgroundColor()))
    halo = QPainterPathStroker()
    halo.setWidth(2.0 * HALO * text.pixels)
    halo.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    places = []
    for i, line in enumerate(lines):
        across = metrics.horizontalAdvance(line)
        start = {0: x + left, 1: x + (left + right - across) / 2.0, 2: x + right - across}[
            look.GetJustification()
        ]
        middle = height - (y + top) + (i + 0.5) * step
        places.append((QPointF(start, middle + 0.36 * text.pixels), line))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(rim)
    for place, line in places:
        outline = QPainterPath()
        outline.addText(place, letters, line)
        painter.drawPath(halo.createStroke(outline))
    painter.setPen(colour)
    for place, line in places:
        painter.drawText(place, line)
