"""Two upright cursors on a plot, and what is read off between them."""

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from faying.plot import Plot, Series
from faying_app.look.late import late
from faying_app.plotting.view import PlotView

pg = late("pyqtgraph")

_RECIPROCAL = {"s": "Hz", "Hz": "s", "ms": "kHz", "": ""}
_FIRST = (1 / 3, 2 / 3)  # shares of the seen range at which they appear


def value_at(series: Series, x: float) -> float:
    """Return the value of a curve at a place: between its points where x rises, else that of the nearest one.

    Not a number outside of the curve.
    """
    known = np.isfinite(series.x) & np.isfinite(series.y)
    along, values = series.x[known], series.y[known]
    if not len(along) or not along.min() <= x <= along.max():
        return math.nan
    if len(along) > 1 and (np.diff(along) > 0.0).all() and not (series.points or series.scatter):
        return float(np.interp(x, along, values))
    return float(values[np.argmin(np.abs(along - x))])


def readings(plot: Plot, series: Series | None, first: float, second: float) -> str:
    """Return both places, their difference and its reciprocal, and the same of a curve's values.

    Args:
        plot: what is drawn.
        series: one of its curves; None reads the places alone.
        first, second: places of the cursors along the x axis, in its unit.
    """
    apart = second - first
    unit = plot.x.unit
    inverse = _RECIPROCAL.get(unit, f"1/{unit}")
    words = f"{plot.x.title} {first:.5g}, {second:.5g}: Δ {apart:.5g} {unit}".rstrip()
    if apart:
        words += f", 1/Δ {1.0 / abs(apart):.5g} {inverse}".rstrip()
    if series is not None:
        low, high = value_at(series, first), value_at(series, second)
        its = plot.axis_of(series).unit
        words += f"; {series.label} {low:.5g}, {high:.5g}: Δ {high - low:.5g} {its}".rstrip()
    return words


class CursorPair(QObject):
    """The two cursors; `moved` tells that one was dragged, or that they are at other places of another plot."""

    moved = Signal()

    def __init__(self, view: PlotView) -> None:
        super().__init__(view)
        self._view = view
        self.lines: list[Any] = []
        self.is_shown = False

    def show(self, wanted: bool) -> None:
        """Put the cursors into the plot, or take them away."""
        self.is_shown = wanted
        if wanted and not self.lines:
            for number in (1, 2):
                line = pg.InfiniteLine(
                    angle=90, movable=True, label=f"{number}", labelOpts={"position": 0.92}
                )
                line.sigDragged.connect(lambda _line: self.moved.emit())
                self.lines.append(line)
        self._view.keep(*(self.lines if wanted else ()))
        if wanted:
            self._wear()
            self.follow()

    def follow(self) -> None:
        """Bring cursors that are out of sight, as of an axis of another quantity, back into the plot."""
        if not self.is_shown:
            return
        self._wear()
        low, high = self._view.seen_along()
        places = {line.value() for line in self.lines}
        if len(places) < len(self.lines) or min(places) < low or max(places) > high:
            for line, share in zip(self.lines, _FIRST, strict=True):
                line.setValue(low + share * (high - low))
        self.moved.emit()

    @property
    def places(self) -> tuple[float, float]:
        """Where the cursors are along the x axis, in its unit."""
        first, second = (self._view.value_along(line.value()) for line in self.lines)
        return first, second

    def _wear(self) -> None:
        theme = self._view.theme
        for line in self.lines:
            line.setPen(pg.mkPen(theme["text"], width=1.2, style=Qt.PenStyle.DashLine))
            line.setHoverPen(pg.mkPen(theme["accent"], width=3))
            line.label.setColor(theme["text"])
