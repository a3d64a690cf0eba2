"""Curves under a picture, with a mark that runs with the frame."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from faying.exporters.plots import PictureSettings
from faying.plot import Plot
from faying_app.look.theme import theme
from faying_app.plotting.pictures import drawn_view
from faying_app.plotting.view import curve_pen

_DOT, _LINE = 4.5, 1.5  # design pixels


class CurveStrip:
    """Draws its curves once; each picture gets a copy with the mark at its frame.

    Args:
        plot: the curves; each has a value for every frame.
        size: width and height in pixels.
        scale: pixels per design pixel.
        dark: whether it stands on a dark background.
        transparent: whether it has none.
    """

    def __init__(
        self, plot: Plot, size: tuple[int, int], scale: float, *, dark: bool, transparent: bool = False
    ) -> None:
        self._plot, self._scale = plot, scale
        self._theme = theme("dark" if dark else "light")
        width, height = (max(round(side / scale), 1) for side in size)
        self._view = view = drawn_view(plot, PictureSettings((width, height), dark))
        self._size = width, height
        self._widths = [(line, QPen(line.opts["pen"]).widthF()) for line in view.lines]
        if transparent:
            view.widget.setBackground(None)
        self._base = QImage(*size, QImage.Format.Format_RGBA8888)
        self._base.fill(QColor(0, 0, 0, 0) if transparent else QColor(self._theme["base"]))
        painter = QPainter(self._base)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        self._draw_curves(painter)
        painter.end()
        self._places = [view.places_of(series) for series in plot.series]
        self._sides = view.upright_range()
        first = plot.series[0].x if plot.series else np.zeros(0)
        # Over time or load an upright line runs along; over another curve the points alone do.
        self._runs_along = bool((np.diff(first) >= 0.0).all())

    def picture(self, frame: int) -> np.ndarray:
        """Return (height, width, 4) bytes of the curves with the mark at a frame."""
        drawn = self._base.copy()
        painter = QPainter(drawn)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self._scale, self._scale)
        self._draw_mark(painter, frame)
        painter.end()
        return pixels_of(drawn)

    def paint(self, painter: QPainter, place: QPointF, frame: int) -> None:
        """Paint curves and mark as lines and letters, the upper left corner at a place in pixels."""
        painter.save()
        painter.translate(place)
        painter.scale(self._scale, self._scale)
        self._draw_curves(painter)
        self._draw_mark(painter, frame)
        painter.restore()

    def _draw_curves(self, painter: QPainter) -> None:
        for curve, width in self._widths:  # in pixels, whatever the painter's scale
            pen = QPen(curve.opts["pen"])
            pen.setWidthF(width * painter.worldTransform().m11())
            curve.setPen(pen)
        target = QRectF(0.0, 0.0, *self._size)
        self._view.widget.render(painter, target, self._view.widget.viewport().rect())

    def _draw_mark(self, painter: QPainter, frame: int) -> None:
        there = [places[frame] for places in self._places if frame < len(places)]
        there = [place for place in there if np.isfinite(place).all()]
        if self._runs_along and there:
            painter.setPen(QPen(QColor(self._theme["accent"]), _LINE))
            top, bottom = self._sides
            painter.drawLine(QPointF(there[0][0], top), QPointF(there[0][0], bottom))
        for series, places in zip(self._plot.series, self._places, strict=True):
            if series.name and frame < len(places) and np.isfinite(places[frame]).all():
                painter.setPen(QPen(QColor(self._theme["base"]), 1.0))
                painter.setBrush(QColor(curve_pen(series.style, self._theme)[0]))
                painter.drawEllipse(QPointF(*places[frame]), _DOT, _DOT)


def pixels_of(image: QImage) -> np.ndarray:
    """Return (height, width, 4) bytes of a picture, red first, as a copy."""
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()
