"""Convergence: errors over the number of joint modes, method by method, of a convergence study."""

from collections import Counter
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from faying.analyses.convergence_study import COLUMNS, TABLE, ConvergenceStudy
from faying.plot import Axis, Plot, Series
from faying.results.results import Results
from faying.units import UnitSystemName, unit_text
from faying_app.context import Context
from faying_app.item_models.number_table import Column
from faying_app.panels import panels
from faying_app.panels._study_panel import StudyPanel
from faying_app.plotting.decades import decades

_MEASURES = (("motion", "Motion of the load"), ("gap norm", "Norm of the gaps"))
_AGAINST = (("error", "Error to unreduced"), ("change", "Change to most modes"))
_ALL = -1
_BESIDE_NAME = 95  # pixels of the plot that are not there for a name in the legend


@panels.register("convergence")
class ConvergencePanel(StudyPanel):
    """A plot and the table behind it, for one load or all of them; grows while the study runs."""

    title = "Convergence"
    icon = "results"
    order = 60
    analyses = ("convergence_study",)
    page = "theory"

    study = ConvergenceStudy
    nothing = "Select a convergence study that has been run."
    table = TABLE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.load = self.choice("Which load", self._show)
        self.measure = self.choice("What is compared", self._show, _MEASURES)
        self.against = self.choice("What it is compared with", self._show, _AGAINST)
        rows = ((self.load,), (self.measure,), (self.against,), (self.copy, self.export))
        self.lay_out(rows, (180, 270, 210), (2, 1))
        self.split.splitterMoved.connect(lambda _at, _index: self._draw())

    def show_study(self, study: ConvergenceStudy, results: Results) -> None:
        """Show the rows that are there, of one load or all."""
        self._of = study
        rows = results.table(TABLE)[1]
        self._rows = rows[~np.isnan(rows[:, 0])]
        self._list_loads(study)
        self._show()

    def _list_loads(self, study: ConvergenceStudy) -> None:
        chosen = self.load.currentData()
        self.load.clear()
        for i, case in enumerate(study.cases()):
            self.load.addItem(f"{i + 1}: {case.text(self.context.project.units)}", i)
        if self.load.count() > 1:
            self.load.addItem("All loads", _ALL)
        self.load.setCurrentIndex(max(self.load.findData(chosen), 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the legend the room that there is."""
        super().resizeEvent(event)
        if self._shown is not None:
            self._draw()

    def _show(self) -> None:
        load = self.load.currentData()
        self._chosen = (
            self._rows if load == _ALL else self._rows[self._rows[:, COLUMNS.index("load")] == load]
        )
        names = method_names(self._of)
        self.view.show_columns(table_columns(self._chosen, names, self.context.project.units))
        self._draw()

    def _draw(self) -> None:
        title = f"{self.measure.currentText()}: {self.against.currentText().lower()}"
        measure = f"{self.measure.currentData()} {self.against.currentData()}"
        found = series_of(self._chosen, measure, method_names(self._of))
        metrics, room = self.plot.fontMetrics(), max(self.plot.width() - _BESIDE_NAME, 40)
        series = tuple(
            replace(one, name=metrics.elidedText(one.name, Qt.TextElideMode.ElideMiddle, room))
            for one in found
        )
        y = Axis(f"|{measure.capitalize()}|", "%", decades(series), logarithmic=True)
        self.plot.show_plot(Plot(title, Axis("Joint modes g"), y, series))
        self.plot.fit()


def method_names(study: ConvergenceStudy) -> list[str]:
    """Return a name for each method, numbered where two are of one kind; the last is the unreduced model's."""
    titles = [method.title for method in study.methods]
    count = Counter(titles)
    numbers = {
        i: titles[: i + 1].count(title) for i, title in enumerate(titles) if count[title] > 1
    }  # of methods that share their title
    named = [f"{title} ({numbers[i]})" if i in numbers else title for i, title in enumerate(titles)]
    return [*named, "Unreduced"]


def series_of(rows: np.ndarray, measure: str, names: list[str]) -> tuple[Series, ...]:
    """Return a curve for each method and load, in % over the number of joint modes."""
    at = {name: i for i, name in enumerate(COLUMNS)}
    method, load = rows[:, at["method"]], rows[:, at["load"]]
    loads, found = np.unique(load), []
    for m, name in enumerate(names[:-1]):
        for k, number in enumerate(loads):
            chosen = rows[(method == m) & (load == number)]
            chosen = chosen[np.argsort(chosen[:, at["joint modes"]])]
            if len(chosen):
                title = f"{name}, load {int(number) + 1}" if len(loads) > 1 else name
                values = 100.0 * np.abs(chosen[:, at[measure]])
                # The same colour for a method, other dashes for each load.
                found.append(Series(title, chosen[:, at["joint modes"]], values, m % 4 + 4 * k, points=True))
    return tuple(found)


def table_columns(rows: np.ndarray, names: list[str], units: UnitSystemName) -> list[Column]:
    """Return the table of a study, methods by name and errors in %."""
    values = dict(zip(COLUMNS, rows.T, strict=True))
    unreduced, length = values["method"] < 0, unit_text("length", units)
    shares = [
        Column(
            f"{measure.capitalize()} {against} [%]", 100.0 * values[f"{measure} {against}"], ".4g",
            f"{title}: {meaning.lower()}.",
        )
        for measure, title in _MEASURES
        for against, meaning in _AGAINST
    ]  # fmt: skip
    return [
        Column("Method", [names[int(m)] for m in values["method"]]),
        Column("Modes", np.where(unreduced, np.nan, values["joint modes"]), ".0f", "Number of joint modes g."),
        Column("Load", values["load"] + 1.0, ".0f", "Number of the load."),
        *shares,
        Column("Motion", values["motion"], ".6g", "Motion of the loaded node along its force, else about its moment."),
        Column(f"Gap norm [{length}]", values["gap norm"], ".5g", "Root of the sum of all squared gaps."),
        Column(f"RMS gap [{length}]", values["rms gap"], ".5g", "Root of the mean of all squared gaps."),
    ]  # fmt: skip
