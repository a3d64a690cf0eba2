"""Curves of an analysis: stored histories and probed nodes, over time or each other, with a cursor at the frame."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QAction, QColor, QDragEnterEvent, QDropEvent, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from faying.analyses import Analysis
from faying.errors import FayingError
from faying.exporters.questions import LargestQuestion
from faying.project.probes import probe_curves
from faying.results.curve_statistics import statistics_of
from faying.results.curves import (
    OF_FE_MODEL,
    Curve,
    CurveView,
    axis_curve,
    curve_difference,
    curve_plot,
    first_curves,
    laid_over,
    run_title,
    scaled_plot,
    stored_curve,
    without_noise,
)
from faying.results.places import PlaceCurve
from faying.results.results import Results
from faying.units import shown_unit
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.item_models.number_table import Column
from faying_app.item_models.project_tree import dragged_entities
from faying_app.look.theme import current_theme
from faying_app.look.tips import tip
from faying_app.panels import Panel, panels
from faying_app.panels._curve_scales import ScalesButton
from faying_app.panels._drawn_diagram import DrawnDiagram
from faying_app.panels._dropped_entity import curves_of_entity
from faying_app.panels._laid_over import LaidOverButton
from faying_app.panels._number_table import NumberTableView
from faying_app.panels._plot_strip import PlotStrip
from faying_app.panels._probed_curves import ProbedCurves
from faying_app.panels._shown_shape import show_shape
from faying_app.plotting.saving import ask_and_save
from faying_app.plotting.view import N_STYLES, PlotView, curve_pen
from faying_app.view_state import PlotValues

if TYPE_CHECKING:  # loads pyqtgraph
    from faying_app.plotting.cursors import CursorPair

_MOST = 12
_LINE = QSize(22, 12)
_LOOP = "hysteresis"  # values over the displacement that goes with them
_OF_FRAMES = ("values", _LOOP, "bode", "nyquist")  # views in which each value is of a frame
_VIEWS = {
    "values": "Values", _LOOP: "Hysteresis", "envelope": "Envelope", "spectrum": "Spectrum", "orders": "Orders",
    "decay": "Decay", "bode": "Bode", "nyquist": "Nyquist",
}  # fmt: skip


@panels.register("curves")
class CurvesPanel(Panel):
    """Choose curves at the left; drag the cursor to go to another frame."""

    title = "Curves"
    icon = "analysis"
    area = "bottom"
    order = 50
    page = "reference-fields"
    analyses = ("frequency_response", "system_frequency_response", "campbell")

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.names = QListWidget(self)
        self.names.setAccessibleName("Curves")
        self.names.setMinimumWidth(130)
        self.names.setIconSize(_LINE)
        self.plot = PlotView(self)
        self.plot.cursor_dragged.connect(self._dragged)
        self.plot.value_clicked.connect(self._clicked)
        self.filter = QLineEdit(self)
        self.filter.setPlaceholderText("Filter: part, constraint, energy …")
        self.filter.setAccessibleName("Filter of curves")
        self.filter.setToolTip("Show only curves whose names have all of these words")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._filter)
        chooser = QWidget(self)
        self.over = self._box("What the curves are drawn over", self._draw_again)
        self.view = self._box("What is drawn of the curves", self._draw_again)
        self.scales = ScalesButton(self)
        self.scales.changed.connect(self._draw_again)
        self.laid_over = LaidOverButton(context, self)
        self.laid_over.changed.connect(self._draw_again)
        self.table_shown = QPushButton("Table", self)
        self.table_shown.setCheckable(True)
        self.table_shown.setToolTip(
            "Smallest, largest, mean and root mean square, and the value at the shown frame"
        )
        self.table_shown.toggled.connect(self._show_table)
        self.export = QPushButton("Export…", self)
        self.export.setToolTip("Write the curves as they are drawn: SVG, PNG or CSV")
        self.export.clicked.connect(self._save)
        self.problem = QLabel(self)
        self.problem.setWordWrap(True)
        self.problem.setProperty("role", "error")
        self.problem.hide()
        self.sizes = QLabel(self)
        self.sizes.setWordWrap(True)
        self.sizes.setProperty("role", "muted")
        self.sizes.setToolTip("How large the differences from the compared analysis are")
        self.sizes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sizes.hide()
        ways = QHBoxLayout()
        ways.setSpacing(4)
        for widget in (self.over, self.view):
            ways.addWidget(widget)
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        for button in (self.laid_over, self.scales, self.table_shown, self.export):
            buttons.addWidget(button)
        choosing = QVBoxLayout(chooser)
        choosing.setContentsMargins(0, 0, 0, 0)
        choosing.setSpacing(2)
        choosing.addWidget(self.filter)
        choosing.addWidget(self.names, 1)
        choosing.addLayout(ways)
        choosing.addLayout(buttons)
        choosing.addWidget(self.sizes)
        choosing.addWidget(self.problem)
        split = QSplitter(Qt.Orientation.Horizontal)
        self.strip = PlotStrip(self)
        self.strip.chosen.connect(self.show_saved)
        self.strip.saved.connect(self.save_plot)
        self.strip.deleted.connect(self.delete_plot)
        self.strip.measured.connect(self._measure)
        self.cursors: CursorPair | None = None
        drawn = QSplitter(Qt.Orientation.Vertical)
        drawn.addWidget(self.plot)
        self.table = NumberTableView(context, "Statistics of curves", drawn)
        self.table.hide()
        drawn.addWidget(self.table)
        split.addWidget(chooser)
        beside = QWidget(self)
        column = QVBoxLayout(beside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.strip)
        column.addWidget(drawn, 1)
        split.addWidget(beside)
        split.setStretchFactor(1, 1)
        split.setSizes([265, 500])
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
        self._styles: dict[str, dict[str, int]] = {}  # numbers of colours, which stay with the curves
        self._hidden: set[str] = set()
        self._is_over_axis, self._factor = True, 1.0
        self._of_frames: frozenset[str] = frozenset()
        self._shown: tuple[object, ...] | None = None
        self._drawn: tuple[object, ...] = ()
        self._found_axis = ""  # that a view needed and found itself
        self._times = np.zeros(0)
        self._filling = False
        self.names.itemChanged.connect(self._toggled)
        self.names.currentRowChanged.connect(lambda _row: self._read())
        self.strip.offer([plot.name for plot in context.view.values.plots])
        context.changed.connect(self._decided)
        self.names.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.to_right = QAction("Axis at the right, or back to the left", self.names)
        self.to_right.triggered.connect(self._change_side)
        self.names.addAction(self.to_right)
        self._right: set[str] = set()
        self._diagrams = DrawnDiagram()
        self._last = ""  # analysis that was shown last
        self.setAcceptDrops(True)
        for inside in (self.plot.widget, self.plot.widget.viewport()):
            inside.setAcceptDrops(False)  # the panel takes what is dropped on them
        self._views: dict[str, str] = {}  # of each analysis the one that was drawn last
        self._probing = ProbedCurves(context, self._probe)
        self._probes: tuple[Curve, ...] = ()
        self._offered: dict[str, LargestQuestion] = {}
        self._drawn_largest: dict[str, np.ndarray] = {}
        self._places: tuple[str, list[PlaceCurve]] = ("", [])
        context.view.changed.connect(self._view_changed)
        context.values_changed.connect(self._probe)
        self.refresh()
        self._probe()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take what has curves from the tree, while it is known of which analysis."""
        if self._dropped_on() is not None and dragged_entities(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Draw the curves of what was dropped, of the analysis that was shown last."""
        found = self._dropped_on()
        if found is None:
            return
        event.acceptProposedAction()
        number, results = found
        project = self.context.project
        name = project.analyses[number].name
        paths = dragged_entities(event.mimeData())
        texts = [text for path in paths for text in curves_of_entity(project, path, results)]
        if not texts:
            self.context.say(f"The analysis “{name}” has no curve of it.")
            return
        self._chosen.setdefault(name, first_curves(results)).update(texts)
        if name in self._views and self._diagrams.title_of(self._views[name]):
            self._views[name] = "values"
        self._shown = None
        self.context.selection.select(("analyses", number))
        self.refresh()

    def _dropped_on(self) -> tuple[int, Results] | None:
        """Return number and results of the analysis that was shown last; None while there are none."""
        for number, analysis in enumerate(self.context.project.analyses):
            if (
                analysis.name == self._last
                and (found := self.context.computed.results(self._last)) is not None
            ):
                return number, found
        return None

    def sizeHint(self) -> QSize:
        """Return a height at which a curve is read."""
        return QSize(600, 190)

    def _box(self, tip: str, chosen: Callable[[], None]) -> QComboBox:
        box = QComboBox(self)
        box.setToolTip(tip)
        box.setAccessibleName(tip)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(6)
        box.activated.connect(lambda _index: chosen())
        return box

    def begin_project(self) -> None:
        """Forget which curves of which analyses were drawn, over what, and how."""
        self._chosen.clear()
        self._styles.clear()
        self.strip.names.setEditText("")
        self.strip.cursors.setChecked(False)
        self._hidden.clear()
        self._right.clear()
        self._views.clear()
        self._last = ""
        self._diagrams.forget()
        self._shown = None
        self._found_axis, self._places = "", ("", [])
        self._offered, self._drawn_largest = {}, {}
        self.scales.reset()
        self.laid_over.reset()
        self.table_shown.setChecked(False)
        for box in (self.over, self.view, self.names):
            blocked = QSignalBlocker(box)
            box.clear()
            del blocked
        self.filter.clear()

    def refresh(self) -> None:
        """Show the curves of the selected analysis."""
        analysis = analysis_at(self.context.project, self.context.entity)
        results = self.context.computed.results(analysis.name) if analysis is not None else None
        if analysis is None or results is None or not (results.curve_names or self._probes):
            self._pages.setCurrentIndex(1)
            self._shown = None
            return
        self._pages.setCurrentIndex(0)
        self._last = analysis.name
        names = tuple(curve.name for curve in self._probes)
        others = self.laid_over.others(analysis)
        lengths = tuple((name, id(each), each.n_frames) for name, each in others.items())
        names = (*names, *self._probing.offered(analysis))
        shown = (analysis.name, id(results), names, results.n_frames, self.context.project.units, lengths)
        if shown != self._shown:
            # A run in progress adds frames to the same curves: the list keeps its position.
            if self._shown is None or self._shown[:3] != shown[:3]:
                self._offered = self._probing.offered(analysis)
                self._list(analysis.name, results)
            self._shown = shown
            self._draw(analysis.name, results, others)
        self._place_cursor()

    def _list(self, analysis: str, results: Results) -> None:
        chosen = self._chosen.setdefault(analysis, first_curves(results))
        self._filling = True
        over = self.over.currentText()
        self.over.clear()
        self.over.addItem(axis_curve(results).name)
        self.over.addItems(list(results.curve_names))
        self.over.setCurrentIndex(max(self.over.findText(over), 0))
        view = self._views.get(analysis, self.view.currentData())
        self.view.clear()
        for kind in results.axis.views:
            is_response = results.axis.quantity == "frequency" and results.axis.has_size and kind == "values"
            self.view.addItem("Magnitude" if is_response else _VIEWS[kind], kind)
        self._diagrams.read(results, self.context.project.units, self.context.view.values.units)
        for kind, title in self._diagrams.views.items():
            self.view.addItem(title, kind)
        self.view.setEnabled(self.view.count() > 1)
        if analysis not in self._views and len(results.axis.views) == 1:
            # A run whose curves say less than a diagram of it begins with that.
            view = next(iter(self._diagrams.views), view)
        self.view.setCurrentIndex(max(self.view.findData(view), 0))
        self._views[analysis] = self.view.currentData()
        self.names.clear()
        probed = [curve.name for curve in self._probes]
        # What is drawn comes first: of a system with a hundred curves it would be far down.
        names = sorted(
            (*probed, *results.curve_names, *self._offered),
            key=lambda name: name not in chosen and name not in probed,
        )
        entries = [
            (name, name in chosen or (name in probed and name not in self._hidden), True) for name in names
        ]
        for name, drawn, can_go in self._diagrams.entries(self._diagram) if self._diagram else entries:
            item = QListWidgetItem(name)
            if can_go:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked if drawn else Qt.CheckState.Unchecked)
            self.names.addItem(item)
        self._filling = False
        self._filter(self.filter.text())

    def _filter(self, text: str) -> None:
        """Hide curves whose names do not contain all words, except those that are drawn."""
        words = text.lower().split()
        for row in range(self.names.count()):
            item = self.names.item(row)
            item.setHidden(not all(word in item.text().lower() for word in words))

    @property
    def _diagram(self) -> str:
        """Title of the diagram that is chosen; "" for curves."""
        return self._diagrams.title_of(self.view.currentData())

    def _draw(self, analysis: str, results: Results, others: dict[str, Results]) -> None:
        self._times = results.values
        for widget in (self.over, self.laid_over):
            widget.setEnabled(not self._diagram)
        if self._diagram:
            self._draw_diagram(analysis, results)
            return
        names = sorted(self._chosen[analysis] & set(results.curve_names))
        probes = [curve for curve in self._probes if curve.name not in self._hidden]
        curves = [without_noise(results, stored_curve(results, name)) for name in names]
        largest = self._largest(analysis_at(self.context.project, self.context.entity))
        self._drawn_largest = {curve.name: curve.values for curve in largest}
        curves = self._in_their_colours(analysis, [*probes, *largest, *curves][:_MOST])
        chosen, view = self._chosen_over(results, curves)
        over = axis_curve(results)
        if chosen in results.curve_names:
            over = replace(stored_curve(results, chosen), phase=None)
        self._is_over_axis = chosen not in results.curve_names and view in ("values", "envelope", "bode")
        values, styles = self.context.view.values, {curve.name: curve.style for curve in curves}
        try:
            shown = self._less_the_other(analysis, over, curves)
            plot = curve_plot(
                run_title(analysis, results), over, tuple(shown), self.context.project.units, view,
                frozenset(self._right), values.units,
            )  # fmt: skip
            self._of_frames = frozenset(series.name for series in plot.series)
            if not values.difference:
                plot = laid_over(plot, others, self.context.project.units, values.units)
            plot = scaled_plot(plot, self.scales.scales)
        except FayingError as error:
            self.problem.setText(str(error))
            self.problem.show()
            return
        self.problem.hide()
        self.plot.setToolTip("")
        self._factor = shown_unit(over.quantity, self.context.project.units, values.units)[1]
        self.plot.show_plot(plot, largest={curve.name for curve in probes} if view == "values" else ())
        self._fill_table()
        self._colour_names(styles)
        drawn = (analysis, chosen, view, self.scales.scales, *(curve.name for curve in shown))
        if drawn != self._drawn:  # a run in progress does not change the range that the user has zoomed to
            self._drawn = drawn
            self.plot.fit()
        if self.cursors is not None:
            self.cursors.follow()

    def _draw_diagram(self, analysis: str, results: Results) -> None:
        """Draw the chosen diagram of the whole run."""
        values = self.context.view.values
        if self._shown is not None:  # a run in progress has other values by now
            self._diagrams.read(results, self.context.project.units, values.units)
        if (plot := self._diagrams.plot(self._diagram)) is None:
            return
        self.problem.hide()
        self.sizes.hide()
        self._is_over_axis, self._of_frames = plot.over_frames, frozenset()
        self._factor = shown_unit(axis_curve(results).quantity, self.context.project.units, values.units)[1]
        self.plot.setToolTip(tip(plot.meaning))
        self.plot.show_plot(scaled_plot(plot, self.scales.scales))
        self._fill_table()
        self._colour_names({each.name: each.style for each in plot.series if not each.role})
        drawn = (analysis, self._diagram, self.scales.scales)
        if drawn != self._drawn:
            self._drawn = drawn
            self.plot.fit()
        if self.cursors is not None:
            self.cursors.follow()

    def _largest(self, analysis: Analysis | None) -> list[Curve]:
        """Return the curves of largest values that are ticked and known."""
        chosen = self._chosen.get(analysis.name, set()) if analysis is not None else set()
        wanted = {name: question for name, question in self._offered.items() if name in chosen}
        found = [self._probing.largest(analysis, name, question) for name, question in wanted.items()]
        return [curve for curve in found if curve is not None]

    def _in_their_colours(self, analysis: str, curves: list[Curve]) -> list[Curve]:
        """Give new curves the first colours that no other curve of the analysis has had, and others their own again."""
        known = self._styles.setdefault(analysis, {})
        shown = {curve.name for curve in curves}
        for curve in curves:
            if curve.name not in known:
                for taken in (set(known.values()), {known[name] for name in shown & set(known)}):
                    if free := [number for number in range(N_STYLES) if number not in taken]:
                        break
                known[curve.name] = free[0] if free else 0
        return [replace(curve, style=known[curve.name]) for curve in curves]

    # Saved plots, and what cursors read ---------------------------------------------------------------

    def save_plot(self, name: str) -> None:
        """Keep what is drawn under a name, in the project's view state."""
        analysis = analysis_at(self.context.project, self.context.entity)
        if not name or analysis is None or self.plot.plot is None:
            self.context.say("Write a name for the plot first." if not name else "There is no plot to save.")
            return
        styles, over = self._styles.get(analysis.name, {}), self.over.currentText()
        names = [name for name in self._chosen.get(analysis.name, ()) if name in styles]
        plot = PlotValues(
            name=name, analysis=analysis.name, curves=tuple(sorted((each, styles[each]) for each in names)),
            right=tuple(sorted(self._right & set(names))), over=over if self.over.currentIndex() else "",
            view=self.view.currentData() or "values",
        )  # fmt: skip
        others = [each for each in self.context.view.values.plots if each.name != name]
        self.context.view.set(plots=(*others, plot))
        self.context.say(f"The plot “{name}” is saved with the project.")

    def delete_plot(self, name: str) -> None:
        """Forget the plot of a name."""
        plots = self.context.view.values.plots
        self.context.view.set(plots=tuple(each for each in plots if each.name != name))
        self.strip.names.setEditText("")

    def show_saved(self, name: str) -> None:
        """Show the analysis of a saved plot with its curves, axes and colours."""
        plot = next((each for each in self.context.view.values.plots if each.name == name), None)
        if plot is None:
            return
        analyses = self.context.project.analyses
        at = next((i for i, each in enumerate(analyses) if each.name == plot.analysis), None)
        if at is None:
            self.context.say(
                f"The plot “{name}” is of the analysis “{plot.analysis}”, which is not there any more."
            )
            return
        self._chosen[plot.analysis] = {each for each, _ in plot.curves}
        self._styles[plot.analysis] = {**self._styles.get(plot.analysis, {}), **dict(plot.curves)}
        self._right = (self._right - {each for each, _ in plot.curves}) | set(plot.right)
        self._shown = None
        self.context.selection.select(("analyses", at))
        self.refresh()
        self.over.setCurrentIndex(max(self.over.findText(plot.over), 0) if plot.over else 0)
        self.view.setCurrentIndex(max(self.view.findData(plot.view), 0))
        self._draw_again()

    def _measure(self, wanted: bool) -> None:
        if self.cursors is None:
            from faying_app.plotting.cursors import CursorPair  # late: with pyqtgraph

            self.cursors = CursorPair(self.plot)
            self.cursors.moved.connect(self._read)
        self.cursors.show(wanted)
        self._read()

    def _read(self) -> None:
        """Write what the cursors read of the selected curve, else of the first one; the tooltip has all curves."""
        plot = self.plot.plot
        if self.cursors is None or not self.cursors.is_shown or plot is None:
            self.strip.reading.show_text("")
            return
        from faying_app.plotting.cursors import readings

        item = self.names.currentItem()
        named = [series for series in plot.series if series.name]
        chosen = next((each for each in named if item is not None and each.name == item.text()), None)
        first = chosen or next(iter(named), None)
        every = [readings(plot, series, *self.cursors.places) for series in named]
        self.strip.reading.show_text(readings(plot, first, *self.cursors.places), "\n".join(every))

    def _chosen_over(self, results: Results, curves: list[Curve]) -> tuple[str, CurveView]:
        """Return the curve along the x axis and the view; hysteresis and orders choose the x axis that they need."""
        chosen, view = self.over.currentText(), self.view.currentData()
        if view not in (_LOOP, "orders") and chosen and chosen == self._found_axis:
            self.over.setCurrentIndex(0)  # back from an axis that the user did not choose
            self._found_axis, chosen = "", self.over.currentText()
        found = ""
        if view == _LOOP and chosen not in results.curve_names:
            found = loop_axis(results, curves)
        elif view == "orders" and not _is_angle(results, chosen):
            found = next((text for key, text in results.curve_texts.items() if key.quantity == "angle"), "")
        if found:
            self._found_axis = chosen = found
            self.over.setCurrentIndex(max(self.over.findText(found), 0))
        return chosen, "values" if view == _LOOP else view

    def _show_table(self, shown: bool) -> None:
        # In place of the curves: the panel is low, and both would be too small to be read.
        self.table.setVisible(shown)
        self.plot.setVisible(not shown)
        self._fill_table()

    def _fill_table(self) -> None:
        """Bring the numbers of the drawn curves into the table, while it is shown."""
        plot, frame = self.plot.plot, self.context.view.values.frame
        if plot is None or not self.table_shown.isChecked():
            return
        at = None
        if self._is_over_axis and 0 <= frame < len(self._times):
            at = float(self._times[frame]) * self._factor
        found = statistics_of(plot, at)
        along = f" [{plot.x.unit}]" if plot.x.unit else ""
        columns = [
            Column("Curve", tuple(one.name for one in found)), Column("Unit", tuple(one.unit for one in found)),
        ]  # fmt: skip
        for title, name in (
            ("Smallest", "smallest"), (f"at{along}", "at_smallest"), ("Largest", "largest"),
            (f"at{along} ", "at_largest"),
            ("Mean", "mean"), ("RMS", "rms"), ("At the frame", "here"),
        ):  # fmt: skip
            columns.append(Column(title, tuple(getattr(one, name) for one in found)))
        self.table.show_columns(columns)

    def _less_the_other(self, analysis: str, over: Curve, curves: list[Curve]) -> list[Curve]:
        """Return the curves minus those of the compared analysis if differences are shown; tell how large these are.

        Raises:
            ModelError: when the runs have no time in common.
        """
        values, computed = self.context.view.values, self.context.computed
        self.sizes.hide()
        if not values.difference or values.compare in ("", analysis) or not self._is_over_axis:
            return curves
        other = computed.results(values.compare)
        if other is None:
            return curves
        others = self._probing.curves(values.compare)
        at_places = {curve.name.removesuffix(OF_FE_MODEL): curve for curve in others}
        stored = {name: stored_curve(other, name) for name in other.curve_names}
        found, lines = [], []
        for curve in curves:
            name = curve.name.removesuffix(OF_FE_MODEL)
            if (its := at_places.get(name) or stored.get(name)) is not None:
                less = curve_difference(over, curve, axis_curve(other), its, values.compare)
                found.append(less.curve)
                unit, factor = shown_unit(curve.quantity, self.context.project.units, values.units)
                mean, largest = (f"{factor * size:.4g} {unit}".strip() for size in (less.mean, less.largest))
                lines.append(f"{curve.name}: {mean} in the mean, {largest} at most")
        self.sizes.setText("\n".join(lines))
        self.sizes.setVisible(bool(lines))
        return found

    def _colour_names(self, styles: dict[str, int]) -> None:
        """Draw the line of each curve next to its name."""
        self._filling = True
        for row in range(self.names.count()):
            item = self.names.item(row)
            style = styles.get(item.text())
            item.setIcon(QIcon() if style is None else QIcon(_line_pixmap(style)))
        self._filling = False

    def apply_theme(self) -> None:
        """Draw the lines next to the names in the theme's colours."""
        self._draw_again()

    def _draw_again(self) -> None:
        if not self._filling:
            if self._shown is not None:
                self._views[str(self._shown[0])] = self.view.currentData()
            self._shown = None
            self.refresh()

    def _toggled(self, item: QListWidgetItem) -> None:
        analysis = analysis_at(self.context.project, self.context.entity)
        if self._filling or analysis is None:
            return
        name, checked = item.text(), item.checkState() == Qt.CheckState.Checked
        if self._diagram:
            self._diagrams.tick(self._diagram, name, checked)
        elif any(curve.name == name for curve in self._probes):
            (self._hidden.discard if checked else self._hidden.add)(name)
        else:
            chosen = self._chosen.setdefault(analysis.name, set())
            (chosen.add if checked else chosen.discard)(name)
        self._draw_again()

    def _save(self) -> None:
        if self.plot.plot is not None:
            ask_and_save(self.context, self.plot.plot, self.plot)

    def _change_side(self) -> None:
        if (item := self.names.currentItem()) is not None:
            self._right ^= {item.text()}
            self._draw_again()

    def _view_changed(self, name: str) -> None:
        if name in ("frame", "shape"):
            self._place_cursor()
        elif name == "probes":
            self._probe()
        elif name == "plots":
            self.strip.offer([plot.name for plot in self.context.view.values.plots])
        elif name in ("units", "compare", "difference"):
            self._draw_again()

    def _decided(self) -> None:
        """Take other probes of bodies, and show the curves."""
        analysis = analysis_at(self.context.project, self.context.entity)
        decided = (
            self.context.computed.title_of(analysis) if analysis is not None else "",
            probe_curves(self.context.project, analysis),
        )
        if decided != self._places:
            self._places = decided
            self._probe()
        self.refresh()

    def _probe(self) -> None:
        """Have a curve of the shown field for every probed node; the worker finds them."""
        found = self._probing.curves()
        if [c.name for c in found] != [c.name for c in self._probes] or any(
            a.values is not b.values for a, b in zip(found, self._probes, strict=True)
        ):
            self._probes = tuple(found)
            self._draw_again()
        elif self.context.view.values.difference:  # it may be those of the other analysis that have come
            self._draw_again()
        else:
            analysis = analysis_at(self.context.project, self.context.entity)
            if self._probing.offered(analysis) != self._offered or any(
                curve.values is not self._drawn_largest.get(curve.name) for curve in self._largest(analysis)
            ):
                self._draw_again()

    def _place_cursor(self) -> None:
        frame = self.context.view.values.frame
        self._fill_table()
        self.plot.choose(frame, self.context.view.values.shape)
        if self._is_over_axis and 0 <= frame < len(self._times):
            self.plot.place_cursor(float(self._times[frame]) * self._factor)
        else:
            self.plot.drop_cursor()

    def _dragged(self, value: float) -> None:
        if len(self._times):
            self.context.view.set(frame=int(np.argmin(np.abs(self._times * self._factor - value))))

    def _clicked(self, number: int, at: int) -> None:
        """Go to the frame of a clicked value; a periodic motion or shape is shown over its period."""
        analysis = analysis_at(self.context.project, self.context.entity)
        results = self.context.computed.results(analysis.name) if analysis is not None else None
        plot = self.plot.plot
        if plot is not None and results is not None and (shows := plot.series[number].shows) is not None:
            show_shape(self.context, results, *shows[at].tolist())
            return
        if plot is None or results is None or self.view.currentData() not in _OF_FRAMES:
            return
        if plot.series[number].name not in self._of_frames or at >= results.n_frames:
            return  # of another analysis, or an edge of an envelope
        show_shape(self.context, results, at, self.context.view.values.shape)


def _is_angle(results: Results, text: str) -> bool:
    return any(known == text and key.dimension == "angle" for key, known in results.curve_texts.items())


def loop_axis(results: Results, curves: Sequence[Curve]) -> str:
    """Return the displacement that goes with the first force or moment, else any; "" where nothing moves."""
    texts = results.curve_texts
    movements = [key for key in results.curve_keys if key.quantity == "displacement" and not key.is_phase]
    first = next((curve.key for curve in curves if curve.quantity in ("force", "moment")), None)
    if first is not None:
        motion = "displacement" if first.dimension == "force" else "rotation"
        if (wanted := replace(first, quantity=motion)) in texts:
            return texts[wanted]
    drawn = {curve.key for curve in curves}
    found = next((key for key in movements if key not in drawn), movements[0] if movements else None)
    return "" if found is None else texts[found]


def _line_pixmap(style: int) -> QPixmap:
    """Return a short piece of a curve of that number."""
    colour, dashes = curve_pen(style, current_theme())
    drawn = QPixmap(_LINE)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setPen(QPen(QColor(colour), 2.5, dashes))
    painter.drawLine(1, _LINE.height() // 2, _LINE.width() - 1, _LINE.height() // 2)
    painter.end()
    return drawn
