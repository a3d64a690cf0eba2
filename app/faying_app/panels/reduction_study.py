"""Reduction study: errors of bases over frequency, their responses beside the FE model's, the table and the advice."""

from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from faying.analyses.reduction_study import (
    ASSURANCE,
    COLUMNS,
    DIFFERENCES,
    ERRORS,
    FULL,
    TABLE,
    ReductionStudy,
    entry_names,
    responses_of,
)
from faying.plot import Axis, Plot, Series
from faying.results.results import Results
from faying.units import UnitSystemName, unit_text
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.item_models.number_table import Column
from faying_app.panels import Panel, panels
from faying_app.panels._number_table import NumberTableView
from faying_app.plotting.decades import decades
from faying_app.plotting.view import PlotView

_MEASURES = (
    (
        "errors",
        "Transfer error",
        "Norm of the error of all transfer functions over the norm of these, over frequency",
    ),
    (
        "entry error",
        "Error of one response",
        "Error of one transfer function over its own size, over frequency",
    ),
    (
        "response",
        "Response",
        "Size of one transfer function of the FE model and of all bases, over frequency",
    ),
    (
        "differences",
        "Frequencies (NRED)",
        "Relative differences of the frequencies of vibration in the range",
    ),
    ("assurance", "Shapes (MAC)", "How much shapes of vibration are those of the FE model; 1 for the same"),
)
_OF_ONE = ("entry error", "response")


@panels.register("reduction_study")
class ReductionStudyPanel(Panel):
    """A plot, the table and the advice of the selected study; grows while it runs."""

    title = "Reduction study"
    icon = "joint_modes"
    area = "bottom"
    order = 65
    analyses = ("reduction_study",)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.measure, self.entry = QComboBox(self), QComboBox(self)
        for value, title, tip in _MEASURES:
            self.measure.addItem(title, value)
            self.measure.setItemData(self.measure.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        for box, tip in ((self.measure, "What is drawn"), (self.entry, "Of which motion under which force")):
            box.setToolTip(tip)
            box.setAccessibleName(tip)
            box.setMinimumContentsLength(8)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.activated.connect(lambda _index: self._draw())
        self.plot, self.view = PlotView(self), NumberTableView(context, "Reduction study", self)
        self.advice = QLabel(self)
        self.advice.setWordWrap(True)
        self.advice.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.advice.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.advice.setContentsMargins(6, 4, 6, 4)
        self.copy, self.export = QPushButton("Copy", self), QPushButton("CSV…", self)
        self.copy.setToolTip("Copy the rows to paste them into a spreadsheet (Ctrl+C in the table)")
        self.export.setToolTip("Write the rows to a file of comma-separated values")
        self.copy.clicked.connect(self.view.copy)
        self.export.clicked.connect(self.view.export)
        self._lay_out()
        self._shown: Any = None
        context.changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        side, column, buttons = QWidget(self), QVBoxLayout(), QHBoxLayout()
        column.setContentsMargins(6, 4, 6, 4)
        column.setSpacing(4)
        column.addWidget(self.measure)
        column.addWidget(self.entry)
        buttons.addWidget(self.copy)
        buttons.addWidget(self.export)
        column.addLayout(buttons)
        column.addStretch(1)
        side.setLayout(column)
        told = QScrollArea(self)
        told.setWidgetResizable(True)
        told.setWidget(self.advice)
        right = QSplitter(Qt.Orientation.Vertical)
        for part, stretch in ((self.view, 2), (told, 1)):
            right.addWidget(part)
            right.setStretchFactor(right.count() - 1, stretch)
        split = QSplitter(Qt.Orientation.Horizontal)
        for widget, stretch in ((side, 0), (self.plot, 2), (right, 2)):
            split.addWidget(widget)
            split.setStretchFactor(split.count() - 1, stretch)
        split.setSizes([180, 260, 260])
        self._empty = QLabel("Select a reduction study that has been run.", self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setProperty("role", "muted")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(split)
        self._pages.addWidget(self._empty)

    def sizeHint(self) -> QSize:
        """Return a height at which the plot is read."""
        return QSize(600, 190)

    def refresh(self) -> None:
        """Show the selected study as far as it was computed."""
        study = analysis_at(self.context.project, self.context.entity)
        results = self.context.computed.results(study.name) if isinstance(study, ReductionStudy) else None
        if results is None or TABLE not in results.table_names:
            self._pages.setCurrentIndex(1)
            self._shown = None
            return
        self._pages.setCurrentIndex(0)
        shown = (study, id(results), len(results.frames_there), results.complete)
        if shown != self._shown:
            self._shown, self._results = shown, results
            self._list_entries()
            self._show()

    def _list_entries(self) -> None:
        chosen = self.entry.currentIndex()
        self.entry.clear()
        self.entry.addItems(entry_names(self._results))
        self.entry.setCurrentIndex(max(min(chosen, self.entry.count() - 1), 0))

    def _show(self) -> None:
        units = self.context.project.units
        rows = self._results.table(TABLE)[1]
        there = np.flatnonzero(~np.isnan(rows[:, 0]))
        names = [self._results.label(int(i)) for i in there]
        self.view.show_columns(table_columns(rows[there], names, units))
        advice = self._results.report.get("advice", [])
        lines = [
            f"{'⚠ ' * (severity == 'warning')}{sentence} {hint}".strip()
            for severity, sentence, hint in advice
        ]
        self.advice.setText("\n\n".join(lines))
        self._draw()

    def _draw(self) -> None:
        measure = self.measure.currentData()
        self.entry.setEnabled(measure in _OF_ONE)
        of = f", {self.entry.currentText()}" if measure in _OF_ONE else ""
        series = series_of(self._results, measure, self.entry.currentIndex())
        frequency = Axis("Frequency", unit_text("frequency", self.context.project.units))
        y = Axis(self.measure.currentText())
        if measure == "response":
            length, force = (unit_text(what, self.context.project.units) for what in ("length", "force"))
            y = Axis("Displacement by force", f"{length}/{force}", decades(series), logarithmic=True)
        elif measure != "assurance":
            y = Axis(self.measure.currentText(), "%", decades(series), logarithmic=True)
        self.plot.show_plot(Plot(f"{self.measure.currentText()}{of}", frequency, y, series))
        self.plot.fit()


def series_of(results: Results, measure: str, entry: int) -> tuple[Series, ...]:
    """Return a curve of each basis that is there: errors and frequency differences in %.

    Args:
        results: of a reduction study.
        measure: what is drawn, one of `_MEASURES`.
        entry: number of the transfer function, where it is of one.
    """
    there = [int(frame) for frame in results.frames_there]
    names = {frame: results.label(frame) for frame in there}
    if measure in _OF_ONE:
        at = results.table(ERRORS)[1][:, 0]
        entries = {frame: responses_of(results, frame)[:, entry] for frame in there}
        if measure == "response":
            return tuple(
                Series(names[f], at, np.abs(entries[f]), f) for f in there if not _is_none(entries[f])
            )
        full = entries.get(0)
        if full is None:
            return ()
        return tuple(
            Series(names[f], at, 100.0 * np.abs(entries[f] / full - 1.0), f)
            for f in there
            if f and not _is_none(entries[f])
        )
    table = {"errors": ERRORS, "differences": DIFFERENCES, "assurance": ASSURANCE}[measure]
    values = results.table(table)[1]
    factor = 1.0 if measure == "assurance" else 100.0
    return tuple(
        Series(names[f], values[:, 0], factor * np.abs(values[:, f]), f, points=measure != "errors")
        for f in there
        if f and not _is_none(values[:, f])
    )


def _is_none(values: np.ndarray) -> bool:
    return bool(np.isnan(values).all())


def table_columns(rows: np.ndarray, names: list[str], units: UnitSystemName) -> list[Column]:
    """Return the table of a study: bases by name, errors and masses in %."""
    value = dict(zip(COLUMNS, rows.T, strict=True))
    frequency, time = unit_text("frequency", units), unit_text("time", units)
    return [
        Column("Basis", names, "", f"The first row is the {FULL}."),
        Column("Order", value["order"], ".0f", "Number of trial vectors; of the FE model, number of its dofs."),
        Column(
            "Error, most [%]", 100.0 * value["largest transfer error"], ".3g",
            "Largest transfer error over the range: norm of the error of all transfer functions over their norm.",
        ),
        Column("Error, mean [%]", 100.0 * value["mean transfer error"], ".3g", "Mean transfer error over the range."),
        Column(
            "Error, first [%]", 100.0 * value["first transfer error"], ".3g",
            "Transfer error where the range begins; at zero that of statics under loads which inertia balances.",
        ),
        Column(
            "NRED [%]", 100.0 * value["NRED"], ".3g",
            "Largest relative difference of a frequency of vibration in the range.",
        ),
        Column(
            "MAC", value["MAC"], ".4f",
            "Least modal assurance of a shape of vibration in the range; of subspaces where frequencies are repeated, "
            "0 for one that the basis does not have.",
        ),
        *(
            Column(
                f"Mass {axis} [%]", 100.0 * value[f"effective mass {axis}"], ".3g",
                f"Effective mass along {axis} of all modes with the nodes of interest at rest, as a share of the "
                "body's.",
            )
            for axis in "xyz"
        ),
        Column(
            f"Highest [{frequency}]", value["highest frequency"], ".4g", "Highest frequency of the free reduced body."
        ),
        Column(
            f"Step [{time}]", value["admissible step"], ".3g", "Time step that follows it: a twentieth of its period."
        ),
        Column(
            "Reduction [s]", value["reduction time"], ".3g",
            "Processor time of the reduction, with the factor that it needs.",
        ),
        Column(
            f"Run [s/{time}]", value["time per second"], ".3g",
            "Processor time of a run over one unit of time: linear, in implicit steps of that length, as measured.",
        ),
    ]  # fmt: skip
