"""Reduction study: errors of bases over frequency, responses compared with the FE model's, table and advice."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QSplitter, QWidget

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
from faying.units import UnitSystemName, unit_text, with_units
from faying_app.context import Context
from faying_app.item_models.number_table import Column
from faying_app.panels import panels
from faying_app.panels._study_panel import StudyPanel
from faying_app.plotting.decades import decades

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
class ReductionStudyPanel(StudyPanel):
    """A plot, the table and the advice of the selected study; grows while it runs."""

    title = "Reduction study"
    icon = "joint_modes"
    order = 65
    analyses = ("reduction_study",)

    study = ReductionStudy
    nothing = "Select a reduction study that has been run."
    table = TABLE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.measure = self.choice("What is drawn", self._draw, _MEASURES)
        self.entry = self.choice("Of which motion under which force", self._draw)
        self.advice = QLabel(self)
        self.advice.setWordWrap(True)
        self.advice.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.advice.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.advice.setContentsMargins(6, 4, 6, 4)
        told = QScrollArea(self)
        told.setWidgetResizable(True)
        told.setWidget(self.advice)
        right = QSplitter(Qt.Orientation.Vertical)
        for part, stretch in ((self.view, 2), (told, 1)):
            right.addWidget(part)
            right.setStretchFactor(right.count() - 1, stretch)
        rows = ((self.measure,), (self.entry,), (self.copy, self.export))
        self.lay_out(rows, (180, 260, 260), (2, 2), right)

    def show_study(self, study: ReductionStudy, results: Results) -> None:
        """Show the bases that are there."""
        self._results = results
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
        self.advice.setText(with_units("\n\n".join(lines), units))
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
