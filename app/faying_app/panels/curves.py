"""Curves: the stored scalar histories of an analysis over time or load, with a cursor at the shown frame."""

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from faying.plot import Axis, Plot, Series
from faying.results.results import Results
from faying.units import unit_text
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.panels import Panel, panels
from faying_app.plotting.view import PlotView

_MOST = 12
_FEW_FRAMES = 30  # are marked one by one


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
        self.plot = PlotView(self)
        self.plot.cursor_dragged.connect(self._dragged)
        self.filter = QLineEdit(self)
        self.filter.setPlaceholderText("Filter: part, constraint, energy …")
        self.filter.setAccessibleName("Filter of curves")
        self.filter.setToolTip("Show only curves whose names have all of these words")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._filter)
        chooser = QWidget(self)
        choosing = QVBoxLayout(chooser)
        choosing.setContentsMargins(0, 0, 0, 0)
        choosing.setSpacing(2)
        choosing.addWidget(self.filter)
        choosing.addWidget(self.names, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(chooser)
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
        self._drawn: tuple[str, ...] = ()
        self._times = np.zeros(0)
        self._filling = False
        self.names.itemChanged.connect(self._toggled)
        context.changed.connect(self.refresh)
        context.view.changed.connect(lambda name: self._place_cursor() if name == "frame" else None)
        self.refresh()

    def sizeHint(self) -> QSize:
        """Return a height at which a curve is read."""
        return QSize(600, 190)

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
            # A run that goes on has more frames of the same curves: the list keeps its place.
            if self._shown is None or self._shown[:2] != shown[:2]:
                self._list(analysis.name, results)
            self._shown = shown
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
        self._filter(self.filter.text())

    def _filter(self, text: str) -> None:
        """Hide curves whose names lack one of the words; what is drawn stays drawn."""
        words = text.lower().split()
        for row in range(self.names.count()):
            item = self.names.item(row)
            item.setHidden(not all(word in item.text().lower() for word in words))

    def _draw(self, analysis: str, results: Results) -> None:
        self._times = results.values
        few = len(self._times) < _FEW_FRAMES
        series = []
        for style, name in enumerate(sorted(self._chosen[analysis] & set(results.curve_names))[:_MOST]):
            values = results.curve(name)
            n = min(len(values), len(self._times))
            series.append(Series(name, self._times[:n], values[:n], style, points=few))
        axes = {
            "time": Axis("Time", unit_text("time", self.context.project.units)),
            "point": Axis("Point of the study"),
        }
        over = axes.get(results.axis, Axis("Load factor"))
        self.plot.show_plot(Plot(analysis, over, Axis(""), tuple(series)))
        drawn = (analysis, *(curve.name for curve in series))
        if drawn != self._drawn:  # a run that goes on leaves the range that the user has zoomed to
            self._drawn = drawn
            self.plot.fit()

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
            self.plot.place_cursor(float(self._times[frame]))

    def _dragged(self, value: float) -> None:
        if len(self._times):
            self.context.view.set(frame=int(np.argmin(np.abs(self._times - value))))


def _first_choice(results: Results) -> set[str]:
    """Return what one wants to see first: of a system its energies, else the displacement that moves most."""
    if results.part_names:
        return {name for name in results.curve_names if name.endswith(" energy")}
    movements = [n for n in results.curve_names if n.rsplit(" ", 1)[-1] in ("ux", "uy", "uz")] or list(
        results.curve_names
    )
    return {max(movements, key=lambda name: float(np.abs(results.curve(name)).max(initial=0.0)))}
