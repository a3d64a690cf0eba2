"""Curves: the stored scalar histories of an analysis over time or load, with a cursor at the shown frame."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedLayout,
    QWidget,
)

from faying.results.results import Results
from faying.units import unit_text
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.look.theme import current_theme
from faying_app.panels import Panel, panels

_MOST = 12


@panels.register("curves")
class CurvesPanel(Panel):
    """Choose curves at the left; drag the cursor to go to another frame."""

    title = "Curves"
    icon = "analysis"
    area = "bottom"
    order = 40

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.names = QListWidget(self)
        self.names.setAccessibleName("Curves")
        self.names.setMinimumWidth(130)
        self.plot = pg.PlotWidget(self)
        self.plot.showGrid(x=True, y=True, alpha=0.25)
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.addLegend(offset=(-8, 8))
        self._cursor = pg.InfiniteLine(angle=90, movable=True)
        self._cursor.sigDragged.connect(self._dragged)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.names)
        split.addWidget(self.plot)
        split.setStretchFactor(1, 1)
        split.setSizes([235, 500])
        page = QWidget(self)
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(split)
        self._empty = QLabel("Select an analysis that has been run to see its curves.", self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setProperty("role", "muted")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(page)
        self._pages.addWidget(self._empty)
        self._chosen: dict[str, set[str]] = {}
        self._shown: tuple[object, ...] | None = None
        self._times = np.zeros(0)
        self._filling = False
        self.names.itemChanged.connect(self._toggled)
        context.changed.connect(self.refresh)
        context.view.changed.connect(lambda name: self._place_cursor() if name == "frame" else None)
        self.apply_theme()
        self.refresh()

    def sizeHint(self) -> QSize:
        """Return a height at which a curve is read."""
        return QSize(600, 190)

    def apply_theme(self) -> None:
        """Draw the plot in the theme's colours."""
        theme = current_theme()
        self.plot.setBackground(theme["base"])
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(theme["border"])
            axis.setTextPen(theme["text"])
        legend = self.plot.plotItem.legend
        legend.setLabelTextColor(theme["text"])
        legend.setBrush(theme.colour("base"))
        self._cursor.setPen(pg.mkPen(theme["accent"], width=1.5))
        self._cursor.setHoverPen(pg.mkPen(theme["accent"], width=3))
        self._shown = None
        self.refresh()

    def refresh(self) -> None:
        """Show the curves of the selected analysis."""
        analysis = analysis_at(self.context.project, self.context.entity)
        results = self.context.computed.results(analysis.name) if analysis is not None else None
        if analysis is None or results is None or not results.curve_names:
            self._pages.setCurrentIndex(1)
            self._shown = None
            return
        self._pages.setCurrentIndex(0)
        shown = (analysis.name, id(results), results.n_frames)
        if shown != self._shown:
            self._shown = shown
            self._list(analysis.name, results)
            self._draw(analysis.name, results)
        self._place_cursor()

    def _list(self, analysis: str, results: Results) -> None:
        chosen = self._chosen.setdefault(analysis, _first_choice(results))
        self._filling = True
        self.names.clear()
        for name in results.curve_names:
            item = QListWidgetItem(name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if name in chosen else Qt.CheckState.Unchecked)
            self.names.addItem(item)
        self._filling = False

    def _draw(self, analysis: str, results: Results) -> None:
        theme, units = current_theme(), self.context.project.units
        self.plot.clear()
        self.plot.plotItem.legend.clear()
        self._times = results.values
        axes = {"time": f"Time [{unit_text('time', units)}]", "point": "Point of the study"}
        self.plot.setLabel("bottom", axes.get(results.axis, "Load factor"))
        styles = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine)
        symbol = "o" if len(self._times) < 30 else None
        for i, name in enumerate(sorted(self._chosen[analysis])[:_MOST]):
            if name not in results.curve_names:
                continue
            colour = theme[f"curve_{i % 4 + 1}"]
            pen = pg.mkPen(colour, width=2, style=styles[i // 4 % 3])
            values = results.curve(name)
            n = min(len(values), len(self._times))
            self.plot.plot(
                self._times[:n], values[:n], pen=pen, name=name, symbol=symbol, symbolSize=6,
                symbolBrush=colour, symbolPen=None,
            )  # fmt: skip
        self.plot.addItem(self._cursor, ignoreBounds=True)
        self.plot.autoRange()

    def _toggled(self, item: QListWidgetItem) -> None:
        analysis = analysis_at(self.context.project, self.context.entity)
        if self._filling or analysis is None:
            return
        chosen = self._chosen.setdefault(analysis.name, set())
        (chosen.add if item.checkState() == Qt.CheckState.Checked else chosen.discard)(item.text())
        self._shown = None
        self.refresh()

    def _place_cursor(self) -> None:
        frame = self.context.view.values.frame
        if 0 <= frame < len(self._times):
            self._cursor.setValue(self._times[frame])

    def _dragged(self) -> None:
        if len(self._times):
            self.context.view.set(frame=int(np.argmin(np.abs(self._times - self._cursor.value()))))


def _first_choice(results: Results) -> set[str]:
    """Return the displacement that moves most, which is what one wants to see first."""
    movements = [n for n in results.curve_names if n.rsplit(" ", 1)[-1] in ("ux", "uy", "uz")] or list(
        results.curve_names
    )
    return {max(movements, key=lambda name: float(np.abs(results.curve(name)).max(initial=0.0)))}
