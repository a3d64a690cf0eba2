"""Singular values and their share w(g) over the number of joint modes, with the chosen number as a line to drag."""

from collections.abc import Collection
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSpinBox, QVBoxLayout, QWidget

from faying.plot import Axis, Plot, Series
from faying_app.look.late import late
from faying_app.plotting.view import PlotView

pg = late("pyqtgraph")

_SHOWN = 60  # numbers on the axis at first; more when more are chosen
_SMALLEST = 1e-12  # what is below is round-off
_DASHED = 4  # style of a curve: the first colour, the second kind of line


class _CountedPlot(PlotView):
    """A plot with an upright line at a number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.line = pg.InfiniteLine(angle=90, movable=True)  # first: what follows draws it
        super().__init__(parent)

    def show_plot(self, plot: Plot, *, largest: Collection[str] = ()) -> None:
        """Draw a plot; the line stays."""
        super().show_plot(plot, largest=largest)
        self.widget.addItem(self.line, ignoreBounds=True)

    def apply_theme(self) -> None:
        """Draw everything in the theme's colours."""
        super().apply_theme()
        accent = self.theme["accent"]
        self.line.setPen(pg.mkPen(accent, width=1.5))
        self.line.setHoverPen(pg.mkPen(accent, width=4))


class CountPlot(QWidget):
    """Choose a number of joint modes by dragging the line, or by typing the number.

    `chosen(g)` comes once, when the line was dropped or the number was typed.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.number = QSpinBox(self)
        self.number.setRange(0, 2000)
        self.number.setKeyboardTracking(False)
        self.number.setAccessibleName("Number of joint modes")
        self.number.setFixedWidth(84)
        self.share = QLabel(self)
        self.share.setProperty("role", "muted")
        label = QLabel("Joint modes", self)
        label.setBuddy(self.number)
        self.plots = (_CountedPlot(self), _CountedPlot(self))
        top, row, column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        top.setContentsMargins(8, 2, 8, 0)
        top.setSpacing(8)
        top.addWidget(label)
        top.addWidget(self.number)
        top.addWidget(self.share, 1)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for plot in self.plots:
            row.addWidget(plot, 1)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addLayout(row, 1)
        self._values = self._ratios = np.zeros(0)
        self._count, self._filling = 0, False
        self._shown: object = None
        self.number.valueChanged.connect(self._typed)
        for plot in self.plots:
            plot.line.sigDragged.connect(self._dragged)
            plot.line.sigPositionChangeFinished.connect(self._dropped)

    def show_spectrum(self, values: np.ndarray, count: int, *, stale: bool) -> None:
        """Show singular values (k,) and the chosen number; `stale` when no basis with it is there yet."""
        squares = values**2
        self._values, self._count = values, count
        self._ratios = np.cumsum(squares) / squares.sum() if len(values) else squares
        key = (values.tobytes(), stale)
        if key != self._shown:
            self._shown = key
            self._draw(stale)
        self._place(count)

    def _draw(self, stale: bool) -> None:
        g = np.arange(1, len(self._values) + 1)
        last = min(len(g), max(_SHOWN, 3 * self._count // 2))
        style = _DASHED if stale else 0
        relative = self._values / self._values.max(initial=_SMALLEST)
        lowest = 10.0 ** np.floor(np.log10(max(relative[:last].min(initial=0.1), _SMALLEST)))
        axis = Axis("Joint modes g", limits=(0.0, float(max(last, 1))))
        ratios = Series("", g, 100.0 * self._ratios, style, points=True)
        self.plots[0].show_plot(Plot("Share w(g)", axis, Axis("Share w(g)", "%"), (ratios,)))
        values = Series("", g, relative, style, points=True)
        y = Axis("Singular value", limits=(lowest, 2.0), logarithmic=True)
        self.plots[1].show_plot(Plot("Singular values", axis, y, (values,)))
        for plot in self.plots:
            plot.line.setBounds((0, len(g)))

    def _place(self, count: int) -> None:
        self._filling = True
        self.number.setValue(count)
        for plot in self.plots:
            plot.line.setValue(count)
        self._filling = False
        self._tell(count)

    def _tell(self, count: int) -> None:
        known = 0 < count <= len(self._ratios)
        self.share.setText(f"w({count}) = {100.0 * self._ratios[count - 1]:.6g} %" if known else "")

    def _dragged(self, line: Any) -> None:
        for plot in self.plots:
            if plot.line is not line:
                plot.line.setValue(line.value())
        self._tell(round(line.value()))

    def _dropped(self, line: Any) -> None:
        self._place(round(line.value()))
        self.chosen.emit(self.number.value())

    def _typed(self, count: int) -> None:
        if not self._filling:
            self.chosen.emit(count)
