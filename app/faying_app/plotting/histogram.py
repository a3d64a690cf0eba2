"""A histogram with limits that can be dragged."""

from html import escape
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from faying_app.look.late import late
from faying_app.plotting.themed import ThemedWidget

pg = late("pyqtgraph")

_BINS = 40


class HistogramView(ThemedWidget):
    """Bars over values; vertical limits emit `limit_dropped(name, value)` when the user releases them."""

    limit_dropped = Signal(str, float)

    def __init__(self, values: str, count: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._titles = (values, count)
        from faying_app.plotting.axis import plot_widget  # late: with the first plot

        self.widget = plot_widget(self)
        self.widget.setMouseEnabled(x=False, y=False)
        self.bars = pg.BarGraphItem(x=[0.0], height=[0.0], width=1.0)
        self.widget.addItem(self.bars)
        self.limits: dict[str, Any] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.widget)
        self.apply_theme()

    def show_values(self, values: np.ndarray, span: tuple[float, float] | None = None) -> None:
        """Draw other values; all of them are shown, and at least the span."""
        at_least = span or (0.0, 0.0)
        low, high = float(values.min(initial=at_least[0])), float(values.max(initial=at_least[1]))
        if not high > low:
            low, high = low - 0.5, high + 0.5
        counts, edges = np.histogram(values, _BINS, (low, high))
        self.bars.setOpts(x=(edges[:-1] + edges[1:]) / 2, height=counts, width=0.92 * (edges[1] - edges[0]))
        self.widget.setXRange(low, high, padding=0.04)
        self.widget.setYRange(0.0, max(float(counts.max(initial=0)), 1.0), padding=0.04)

    def set_axis(self, values: str) -> None:
        """Name the values, with their unit."""
        self._titles = (values, self._titles[1])
        self.widget.setLabel("bottom", escape(values))

    def _dropped(self, line: Any) -> None:
        name = next(name for name, each in self.limits.items() if each is line)
        self.limit_dropped.emit(name, float(line.value()))

    def set_limit(
        self, name: str, value: float, title: str, bounds: tuple[float | None, float | None]
    ) -> None:
        """Show a limit, or move the one of that name; the user may drag it between bounds."""
        if name not in self.limits:
            line = pg.InfiniteLine(angle=90, movable=True, label=title, labelOpts={"position": 0.85})
            line.sigPositionChangeFinished.connect(self._dropped)
            self.limits[name] = line
            self.widget.addItem(line)
            self.apply_theme()
        line = self.limits[name]
        line.blockSignals(True)
        line.setBounds(bounds)
        line.setValue(value)
        line.blockSignals(False)

    def apply_theme(self) -> None:
        """Draw everything in the theme's colours."""
        super().apply_theme()
        theme = self.theme
        self.widget.setBackground(theme["base"])
        for side, title in zip(("bottom", "left"), self._titles, strict=True):
            axis = self.widget.getAxis(side)
            axis.enableAutoSIPrefix(False)
            axis.setPen(theme["border"])
            axis.setTextPen(theme["text"])
            self.widget.setLabel(side, escape(title))
        self.bars.setOpts(brush=theme["accent"], pen=None)
        for line in self.limits.values():
            line.setPen(pg.mkPen(theme["error"], width=2))
            line.setHoverPen(pg.mkPen(theme["accent"], width=3))
            line.label.setColor(theme["text"])
