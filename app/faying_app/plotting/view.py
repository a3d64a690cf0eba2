"""A widget that draws a `Plot` in the theme's colours."""

import math
from collections.abc import Collection
from dataclasses import replace
from html import escape
from typing import Any, Literal

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import QGraphicsItem, QVBoxLayout, QWidget

from faying.plot import Plot, Series
from faying.results.curves import peaks_of
from faying_app.look.late import late
from faying_app.look.theme import Theme
from faying_app.plotting.themed import ThemedWidget

pg = late("pyqtgraph")

_STYLES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
)
_COLOURS = 4
N_STYLES = _COLOURS * len(_STYLES)
_ROOM_OF_LINE = 40  # pixels of a legend's entry in addition to its text
_HEIGHT_OF_LINE = 22
_HIGHEST_LEGEND = 0.4  # of the widget's height
_LEAST_AXES = 110  # pixels below it, with their numbers and titles: curves come first
_MOST_IN_LEGEND = (
    24  # entries; more would fill the plot, and laying them out takes longer than drawing the curves
)
_REACH = 12  # pixels from a value within which a click means it
_LEAST_POWERS = 0.8  # of ten on a logarithmic axis: two of the numbers 1, 2 and 5 are among them
_ZERO = 1e-100  # curves below are zero but for round-off
_FILLS = (
    Qt.BrushStyle.SolidPattern,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.Dense4Pattern,
    Qt.BrushStyle.CrossPattern,
)
_MOST_MOVABLE = 60  # points of a curve that can be dragged
_RING = 16  # pixels of the ring round what is shown
_LEGEND_SHARE = 0.92  # of the width is above the axes


def curve_pen(style: int, theme: Theme) -> tuple[str, Qt.PenStyle]:
    """Return colour and dashes of the curve of that number: colours go round first, then dashes."""
    return theme[f"curve_{style % _COLOURS + 1}"], _STYLES[style // _COLOURS % len(_STYLES)]


def _outline(plot: Plot) -> tuple[object, ...]:
    """Return all of a plot but its values."""
    series = tuple(
        (
            each.name,
            each.label,
            each.style,
            each.points,
            each.scatter,
            each.right,
            each.dashed is None,
            each.role,
            each.base is None,
        )
        for each in plot.series
    )
    return plot.title, plot.x, plot.y, plot.right, series  # fmt: skip


def _on_axes(plot: Plot, series: Series) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of a curve; a logarithmic axis has none at zero and below."""
    x, y = (
        np.where(values > 0, values, np.nan) if axis.logarithmic else values
        for axis, values in ((plot.x, series.x), (plot.axis_of(series), series.y))
    )
    return x, y


class PlotView(ThemedWidget):
    """Axes, curves, legend, a mark and an upright cursor that can be dragged.

    `mark_dragged(x, y)` follows the mouse, in the units of the axes; `mark_dropped` tells that it was let go.
    `cursor_dragged(x)` follows the mouse likewise; there is a cursor once it was placed.
    `point_dropped(series, number, x, y)` tells that a point that may be moved was dragged and let go.
    `value_clicked(series, number)` tells which value of which curve was clicked, by their numbers in the plot.
    A range that the user has zoomed to stays until other axes are shown.

    Args:
        dressed_in: a theme to keep; None follows the application's.
    """

    mark_dragged = Signal(float, float)
    mark_dropped = Signal()
    cursor_dragged = Signal(float)
    value_clicked = Signal(int, int)
    point_dropped = Signal(int, int, float, float)

    def __init__(self, parent: QWidget | None = None, dressed_in: Theme | None = None) -> None:
        super().__init__(parent, dressed_in)
        from faying_app.plotting.axis import SparseAxis, plot_widget  # late: with the first plot

        self._plot: Plot | None = None
        self._drawn: tuple[object, ...] = ()
        self._axes: tuple[object, ...] = ()
        self.widget = plot_widget(self, axisItems={side: SparseAxis(side) for side in ("left", "bottom")})
        self.widget.showGrid(x=True, y=True, alpha=0.25)
        for side in ("left", "bottom"):
            self.widget.getAxis(side).enableAutoSIPrefix(False)
        self.legend = pg.LegendItem(offset=None, horSpacing=18, verSpacing=-2, pen=None, brush=None)
        # It is in the layout of the plot, and grows with it in pictures.
        self.legend.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations, False)
        self._put_legend_above()
        self.mark = pg.TargetItem(size=14, symbol="crosshair", movable=True)
        self.mark.sigPositionChanged.connect(self._dragged)
        self.mark.sigPositionChangeFinished.connect(self._dropped)
        self._placing = False
        self.cursor_line = pg.InfiniteLine(angle=90, movable=True)
        self.cursor_line.sigDragged.connect(self._cursor_moved)
        self.widget.scene().sigMouseClicked.connect(self._clicked)
        self._texts: list[Any] = []
        self.movable: list[Any] = []  # what is dragged, of all points that may be
        self.widget.plotItem.vb.sigRangeChanged.connect(self._thin_texts)
        self.widget.plotItem.vb.sigResized.connect(self._thin_texts)
        self._has_cursor, self._cursor = False, 0.0
        self._above: tuple[Any, ...] = ()
        self._aside: Any = None
        self._curves: list[Any] = []
        self._dashes: list[Any] = []  # of the curves that are dashed in parts, else None
        self._largest: tuple[str, ...] = ()
        self._chosen: tuple[int, int] | None = None  # frame and shape whose values have a ring
        self._ring: Any = None
        self.marked: list[tuple[float, float]] = []  # (x, y) of the largest values that are marked
        self.peaks: list[float] = []  # places of the peaks that are named
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.widget)
        self.apply_theme()

    def _cursor_moved(self, line: Any) -> None:
        self._cursor = self._from_axis(line.value(), "x")
        self.cursor_dragged.emit(self._cursor)

    def _along_axis(self, value: float, axis: Literal["x", "y"]) -> float:
        """Return where a value is drawn along an axis: a logarithmic one counts powers of ten; NaN is nowhere."""
        if self._plot is None or not getattr(self._plot, axis).logarithmic:
            return float(value)
        return math.log10(value) if value > 0.0 else math.nan

    def _from_axis(self, place: float, axis: Literal["x", "y"]) -> float:
        """Return the value that is drawn at a place of an axis."""
        is_plain = self._plot is None or not getattr(self._plot, axis).logarithmic
        return float(place if is_plain else 10.0**place)

    @property
    def curves(self) -> list[Any]:
        """The curves that are drawn."""
        return list(self._curves)

    @property
    def lines(self) -> list[Any]:
        """All lines that are drawn: the curves, and the dashed parts of some."""
        return [*self._curves, *(each for each in self._dashes if each is not None)]

    def show_plot(self, plot: Plot, *, largest: Collection[str] = ()) -> None:
        """Draw a plot in place of the one before.

        Args:
            plot: what is drawn.
            largest: names of the curves whose largest value is marked.
        """
        former, self._plot = self._drawn, plot
        self._largest = tuple(largest)
        self._drawn = _outline(plot), self._largest, id(self.theme)
        written = any(series.texts or series.movable for series in plot.series)
        if former == self._drawn and not (plot.peaks or largest or plot.mark or written):
            self._move_curves(plot)
            return
        from faying_app.plotting.axis import Bars  # late: with the first plot

        self.widget.clear()
        self.marked.clear()
        self.peaks.clear()
        self.legend.clear()
        self._texts.clear()
        self.movable.clear()
        self._curves.clear()
        self._dashes.clear()
        self._place_right_axis(plot)
        self.widget.setLabel("bottom", escape(plot.x.label))
        self.widget.setLabel("left", escape(plot.y.label))
        self.widget.setLogMode(x=plot.x.logarithmic, y=plot.y.logarithmic)
        for side, along in (("bottom", plot.x), ("left", plot.y)):
            self.widget.getAxis(side).name_ticks(along.ticks)
        if plot.right is not None:  # which has got the scale of the left one
            self.widget.getAxis("right").setLogMode(plot.right.logarithmic)
        has_legend = sum(bool(series.name) for series in plot.series) <= _MOST_IN_LEGEND
        for series in plot.series:
            colour, dashes = self._pen(series)
            pen = pg.mkPen(colour, width=2, style=dashes)
            symbols = {"symbol": "o", "symbolSize": 6, "symbolBrush": colour, "symbolPen": None}
            x, y = _on_axes(plot, series)
            if series.role == "error":
                pen = pg.mkPen(colour, width=3.5)
            elif not series.name:
                pen = pg.mkPen(colour, width=1, style=Qt.PenStyle.DotLine)
            if series.sizes is not None:
                symbols |= {"symbolSize": series.sizes}
            if series.scatter:
                pen, symbols = (
                    None,
                    symbols
                    | {"symbolSize": 8, "symbolBrush": None, "symbolPen": pg.mkPen(colour, width=1.5)},
                )
            marked = series.points or series.scatter
            curve = pg.PlotDataItem(pen=pen, antialias=True, **(symbols if marked else {}))
            if series.base is not None:
                curve = Bars(QBrush(QColor(colour), _FILLS[series.style // _COLOURS % len(_FILLS)]))
            self._curves.append(curve)
            parts = [curve]
            if series.dashed is not None and pen is not None:
                other = Qt.PenStyle.DashLine if dashes == Qt.PenStyle.SolidLine else Qt.PenStyle.DotLine
                parts.append(pg.PlotDataItem(pen=pg.mkPen(colour, width=1.5, style=other), antialias=True))
            self._dashes.append(parts[1] if len(parts) > 1 else None)
            self._draw(len(self._curves) - 1, series, x, y)
            for item in parts:
                item.setLogMode(plot.x.logarithmic, plot.axis_of(series).logarithmic)
                if series.right and self._aside is not None:
                    self._aside.addItem(item)
                else:
                    self.widget.addItem(item)
            self._write_texts(series)
            if series.movable:
                self._make_movable(len(self._curves) - 1, series)
            if series.name in self._largest and not series.right:
                self._mark_largest(series.x, series.y, colour)
            if plot.peaks and series.name and not series.right:
                self._name_peaks(series, plot)
            if series.name and has_legend:
                self.legend.addItem(curve, escape(series.label))
        self._lay_out_legend()
        if plot.mark is not None:
            self._placing = True
            self.mark.setPos(self._along_axis(plot.mark[0], "x"), self._along_axis(plot.mark[1], "y"))
            self._placing = False
            self.widget.addItem(self.mark, ignoreBounds=True)
        if self._has_cursor:
            self._draw_cursor()
        self._draw_ring()
        self.keep(*self._above)
        self._follow_axes(plot)
        self._thin_texts()

    def keep(self, *items: Any) -> None:
        """Draw items above all plots from now on, in place of those that were kept before."""
        for item in self._above:
            if item not in items and item.scene() is not None:
                self.widget.removeItem(item)
        self._above = items
        for item in items:
            if item.scene() is None:
                self.widget.addItem(item, ignoreBounds=True)

    def seen_along(self) -> tuple[float, float]:
        """Return the ends of the part of the x axis that is seen, as places: of a logarithmic axis powers of ten."""
        low, high = self.widget.plotItem.vb.viewRange()[0]
        return float(low), float(high)

    def value_along(self, place: float) -> float:
        """Return the value at a place of the x axis."""
        return self._from_axis(place, "x")

    def _follow_axes(self, plot: Plot) -> None:
        """Show all of the curves where the axes are others than before; else the range stays as the user chose it."""
        axes = (plot.x, plot.y, plot.right, _flat_range(plot))
        if axes != self._axes:
            self._axes = axes
            self.fit()

    def _draw(self, number: int, series: Series, x: np.ndarray, y: np.ndarray) -> None:
        """Give a curve its values, and its dashed parts theirs."""
        curve, dashes, dashed = self._curves[number], self._dashes[number], series.dashed_parts
        if series.base is not None:
            curve.stand(x, series.base, y)
            return
        if dashes is None:
            curve.setData(x, y)
            return
        none = np.zeros(len(x), bool) if dashed is None else dashed
        curve.setData(x, y, connect=~none)
        dashes.setData(x, y, connect=none)

    def _move_curves(self, plot: Plot) -> None:
        """Draw new values of the same curves, as of a run in progress, without creating items again."""
        for number, series in enumerate(plot.series):
            self._draw(number, series, *_on_axes(plot, series))
        if self._has_cursor:
            self._draw_cursor()
        self._draw_ring()
        self._follow_axes(plot)

    def _pen(self, series: Series) -> tuple[str, Qt.PenStyle]:
        """Return colour and dashes of a curve, of one with a role the theme's colour for that."""
        if series.role:
            return self.theme[series.role], Qt.PenStyle.SolidLine
        return curve_pen(series.style, self.theme)

    def _write_texts(self, series: Series) -> None:
        """Write the texts of a curve's values next to them, towards the middle of the plot."""
        if not series.texts or self._plot is None:
            return
        right, top = (np.nanmean([np.nanmean(getattr(each, k)) for each in self._plot.series]) for k in "xy")
        for x, y, words in zip(series.x, series.y, series.texts, strict=False):
            place = self._along_axis(x, "x"), self._along_axis(y, "y")
            if words and np.isfinite(place).all():
                anchor = (float(x > right), float(y <= top))
                text = pg.TextItem(words, color=self._pen(series)[0], anchor=anchor)
                text.setPos(*place)
                self.widget.addItem(text, ignoreBounds=True)
                self._texts.append(text)

    def _thin_texts(self, *_changed: object) -> None:
        """Hide texts that would lie over others."""
        box, letters, taken = self.widget.plotItem.vb, self.fontMetrics(), list[QRectF]()
        for text in self._texts:
            at = box.mapViewToScene(text.pos())
            words = text.textItem.toPlainText()
            width, height = letters.horizontalAdvance(words) + 8.0, float(letters.height())
            own = QRectF(at.x() - text.anchor[0] * width, at.y() - text.anchor[1] * height, width, height)
            text.setVisible(not any(own.intersects(other) for other in taken))
            if text.isVisible():
                taken.append(own)

    def _make_movable(self, number: int, series: Series) -> None:
        """Put something to drag at each of a few points of a curve."""
        for at, (x, y) in enumerate(zip(series.x[:_MOST_MOVABLE], series.y, strict=False)):
            target = pg.TargetItem((self._along_axis(x, "x"), self._along_axis(y, "y")), size=9, symbol="o")
            target.setPen(pg.mkPen(self._pen(series)[0], width=1.5))
            target.setHoverPen(pg.mkPen(self.theme["accent"], width=3))
            target.setBrush(None)
            target.sigPositionChangeFinished.connect(
                lambda moved, at=at: self.point_dropped.emit(
                    number, at, self._from_axis(moved.pos().x(), "x"), self._from_axis(moved.pos().y(), "y")
                )
            )
            self.widget.addItem(target, ignoreBounds=True)
            self.movable.append(target)

    @property
    def seen(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Ends of the seen part of both axes, as places: of a logarithmic axis powers of ten."""
        x, y = self.widget.plotItem.vb.viewRange()
        return (float(x[0]), float(x[1])), (float(y[0]), float(y[1]))

    def choose(self, frame: int, shape: int = 0) -> None:
        """Put a ring round the values that are of a frame and a shape in it."""
        self._chosen = (frame, shape)
        self._draw_ring()

    def _draw_ring(self) -> None:
        found = [
            (self._along_axis(x, "x"), self._along_axis(y, "y"))
            for series in (self._plot.series if self._plot is not None else ())
            if series.shows is not None and self._chosen is not None and series.base is None
            for x, y in zip(
                *(each[(series.shows == self._chosen).all(axis=1)] for each in (series.x, series.y)),
                strict=True,
            )
        ]
        if not found and self._ring is None:
            return
        if self._ring is None:
            self._ring = pg.ScatterPlotItem(size=_RING, symbol="o", brush=None, pxMode=True)
        self._ring.setPen(pg.mkPen(self.theme["accent"], width=2))
        self._ring.setData(*np.array(found, float).reshape(-1, 2).T)
        if self._ring.scene() is None:
            self.widget.addItem(self._ring, ignoreBounds=True)

    def _mark_largest(self, x: np.ndarray, y: np.ndarray, colour: str) -> None:
        """Draw a point at the maximum of a curve, and write the value next to it."""
        if not np.isfinite(y).any():
            return
        at = int(np.nanargmax(y))
        place = self._along_axis(x[at], "x"), self._along_axis(y[at], "y")
        if not np.isfinite(place).all():
            return
        point = pg.ScatterPlotItem(
            [place[0]], [place[1]], symbol="t1", size=11, brush=colour, pen=pg.mkPen(self.theme["base"])
        )
        text = pg.TextItem(f"max {y[at]:.4g} at {x[at]:.4g}", color=self.theme["text"], anchor=(0.5, 1.15))
        text.setPos(*place)
        for item in (point, text):
            self.widget.addItem(item, ignoreBounds=True)
        self.marked.append((float(x[at]), float(y[at])))

    def _name_peaks(self, series: Series, plot: Plot) -> None:
        """Write the abscissas of the highest peaks of a curve next to them."""
        below = plot.x.limits[1] if plot.x.limits is not None else np.inf
        for i in peaks_of(series, plot.peaks, below):
            x, y = series.x[i], series.y[i]
            place = self._along_axis(x, "x"), self._along_axis(y, "y")
            if not np.isfinite(place).all():
                continue
            text = pg.TextItem(f"{x:.4g}", color=self.theme["text"], anchor=(0.5, 1.0))
            text.setPos(*place)
            self.widget.addItem(text, ignoreBounds=True)
            self.peaks.append(float(x))

    def _place_right_axis(self, plot: Plot) -> None:
        """Add a second vertical axis with its own curves while the plot needs one."""
        item = self.widget.plotItem
        if self._aside is not None:
            self._aside.clear()
        item.showAxis("right", plot.right is not None)
        if plot.right is None:
            return
        if self._aside is None:
            self._aside = pg.ViewBox()
            item.scene().addItem(self._aside)
            item.getAxis("right").linkToView(self._aside)
            item.getAxis("right").enableAutoSIPrefix(False)
            self._aside.setXLink(item.vb)
            item.vb.sigResized.connect(self._fit_aside)
            self._colour_axes()
        item.setLabel("right", escape(plot.right.label))
        self._fit_aside()

    def _fit_aside(self) -> None:
        """Let the curves of the second axis lie over the others."""
        assert self._aside is not None
        box = self.widget.plotItem.vb
        self._aside.setGeometry(box.sceneBoundingRect())
        self._aside.linkedViewChanged(box, self._aside.XAxis)

    def place_cursor(self, x: float) -> None:
        """Put the cursor there, above all plots from now on; nothing is emitted."""
        self._has_cursor, self._cursor = True, x
        self._draw_cursor()

    def _draw_cursor(self) -> None:
        """Put the line of the cursor into the plot; on a logarithmic axis zero has no place."""
        place = self._along_axis(self._cursor, "x")
        self.cursor_line.setVisible(math.isfinite(place))
        if math.isfinite(place):
            self.cursor_line.setValue(place)
        if self.cursor_line.scene() is None:
            self.widget.addItem(self.cursor_line, ignoreBounds=True)

    def drop_cursor(self) -> None:
        """Take the cursor away where it would mean nothing."""
        if self._has_cursor:
            self._has_cursor = False
            self.widget.removeItem(self.cursor_line)

    @property
    def plot(self) -> Plot | None:
        """What is drawn."""
        return self._plot

    def places_of(self, series: Series) -> np.ndarray:
        """Return (n, 2) where in the widget the values of a drawn curve are; not numbers where they cannot be drawn."""
        assert self._plot is not None
        axes = self._plot.x, self._plot.axis_of(series)
        x, y = (
            np.log10(np.where(values > 0.0, values, np.nan)) if axis.logarithmic else values
            for axis, values in zip(axes, (series.x, series.y), strict=True)
        )
        box = self._aside if series.right and self._aside is not None else self.widget.plotItem.vb
        (left, right), (low, high) = box.viewRange()
        area = self.widget.plotItem.vb.sceneBoundingRect()
        across = area.left() + (x - left) / (right - left) * area.width()
        down = area.bottom() - (y - low) / (high - low) * area.height()
        return np.column_stack([across, down])

    def _clicked(self, event: Any) -> None:
        place = event.scenePos()
        if event.button() == Qt.MouseButton.LeftButton and (found := self.value_at(place.x(), place.y())):
            self.value_clicked.emit(*found)

    def value_at(self, across: float, down: float) -> tuple[int, int] | None:
        """Return the numbers of the curve and of its value nearest to a place in the widget; None for none nearby."""
        nearest, found = float(_REACH), None
        for number, series in enumerate(self._plot.series if self._plot is not None else ()):
            if not len(series.x):
                continue
            if series.base is not None:
                inside = self._bars_at(series, across, down)
                if len(inside):
                    return number, int(inside[0])
                continue
            away = np.hypot(*(self.places_of(series) - (across, down)).T)
            at = int(np.argmin(np.nan_to_num(away, nan=np.inf)))
            if away[at] < nearest:
                nearest, found = float(away[at]), (number, at)
        return found

    def _bars_at(self, series: Series, across: float, down: float) -> np.ndarray:
        """Return the numbers of the bars of a curve that are at a place in the widget."""
        from faying_app.plotting.axis import BAR_WIDTH

        assert series.base is not None
        tops, feet = self.places_of(series), self.places_of(replace(series, y=series.base))
        ends = self.places_of(replace(series, x=series.x + 0.5 * BAR_WIDTH))
        beside = np.abs(tops[:, 0] - across) <= np.abs(ends[:, 0] - tops[:, 0])
        low, high = np.sort([tops[:, 1], feet[:, 1]], axis=0)
        return np.flatnonzero(beside & (low <= down) & (down <= high))

    def upright_range(self) -> tuple[float, float]:
        """Return where in the widget the axes have their upper and lower ends."""
        area = self.widget.plotItem.vb.sceneBoundingRect()
        return area.top(), area.bottom()

    def fit(self) -> None:
        """Show the limits that the axes have, and all of the curves along an axis without."""
        if self._plot is None:
            return
        box = self.widget.plotItem.vb
        box.enableAutoRange()
        if self._aside is not None:
            self._aside.enableAutoRange(axis=pg.ViewBox.YAxis)
        for axis, show in ((self._plot.x, box.setXRange), (self._plot.y, box.setYRange)):
            if axis.limits is not None:
                show(*(np.log10(axis.limits) if axis.logarithmic else axis.limits), padding=0.0)
        flat = _flat_range(self._plot)
        if flat is not None and self._plot.y.limits is None:
            box.setYRange(*flat, padding=0.0)
        # Of an axis without limits the curves fill what is seen of them.
        for part in (box, *([self._aside] if self._aside is not None else [])):
            part.setAutoVisible(y=self._plot.x.limits is not None)

    def apply_theme(self) -> None:
        """Draw everything in the theme's colours."""
        super().apply_theme()
        theme = self.theme
        self.widget.setBackground(theme["base"])
        self._colour_axes()
        self.legend.setLabelTextColor(theme["text"])
        self.mark.setBrush(None)
        self.mark.setPen(pg.mkPen(theme["error"], width=2))
        self.mark.setHoverPen(pg.mkPen(theme["accent"], width=3))
        self.cursor_line.setPen(pg.mkPen(theme["accent"], width=1.5))
        self.cursor_line.setHoverPen(pg.mkPen(theme["accent"], width=3))
        if self._plot is not None:
            self.show_plot(self._plot, largest=self._largest)

    def _colour_axes(self) -> None:
        """Draw all axes in the theme's colours."""
        theme = self.theme
        for side in ("left", "bottom", "right"):
            axis = self.widget.getAxis(side)
            axis.setPen(theme["border"])
            axis.setTextPen(theme["text"])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the legend as many columns as fit."""
        super().resizeEvent(event)
        self._lay_out_legend()

    def _put_legend_above(self) -> None:
        """Put the legend where a title would be: there it hides no curve."""
        item = self.widget.plotItem
        item.layout.removeItem(item.titleLabel)
        item.titleLabel.hide()
        item.layout.addItem(self.legend, 0, 1)
        self.legend.layout.setContentsMargins(0, 0, 0, 0)
        # Else a legend of many columns would make the axes wider than the widget.
        self.legend.setMinimumWidth(0)
        item.layout.setContentsMargins(6, 6, 16, 4)

    def _lay_out_legend(self) -> None:
        widest = max((_ROOM_OF_LINE + label.minimumWidth() for _, label in self.legend.items), default=0)
        columns = int(self.width() * _LEGEND_SHARE / widest) if widest else 1
        self.legend.setColumnCount(min(max(columns, 1), max(len(self.legend.items), 1)))
        height = -(-len(self.legend.items) // self.legend.columnCount) * _HEIGHT_OF_LINE
        # In a low widget the curves come first; who shows it names them beside it.
        fits = height <= min(_HIGHEST_LEGEND * self.height(), self.height() - _LEAST_AXES)
        self.legend.setVisible(fits)
        self.legend.setMinimumHeight(height if fits else 0)
        self.legend.setMaximumHeight(height if fits else 0)
        # As wide as its entries: else a row of two would stretch over the whole plot.
        self.legend.setMaximumWidth(max(self.legend.columnCount * widest, 1))

    def _dragged(self, _mark: object) -> None:
        if not self._placing:
            place = self.mark.pos()
            self.mark_dragged.emit(self._from_axis(place.x(), "x"), self._from_axis(place.y(), "y"))

    def _dropped(self, _mark: object) -> None:
        if not self._placing:
            self.mark_dropped.emit()


def _flat_range(plot: Plot) -> tuple[float, float] | None:
    """Return a range of the left axis, as places, about curves that are all zero or hardly change; None for others.

    The plotting library would scale the axis by what is left of the range before, or by round-off; a logarithmic axis
    needs some range to have two numbers.
    """
    left = [np.abs(series.y[np.isfinite(series.y)]) for series in plot.series if not series.right]
    if not left:
        return None
    if not plot.y.logarithmic:
        return (-1.0, 1.0) if max(map(_largest, left)) < _ZERO else None
    positive = np.concatenate(left)
    positive = np.log10(positive[positive > 0.0])
    if not len(positive) or np.ptp(positive) >= _LEAST_POWERS:
        return None
    middle = 0.5 * (positive.min() + positive.max())
    return float(middle - 0.5 * _LEAST_POWERS), float(middle + 0.5 * _LEAST_POWERS)


def _largest(values: np.ndarray) -> float:
    return float(values.max(initial=0.0))
