"""Sweep: a response over a decision, the table of all points, and the way from a point to a project of its own."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QWidget

from faying.analyses.diagrams import diagrams_of
from faying.analyses.diagrams.main_effects import TITLE
from faying.analyses.sweep import Sweep
from faying.errors import FayingError
from faying.plot import Axis, Plot, Series
from faying.project.stages.sweep import TABLE
from faying.project.sweep_points import POINT, SECONDS, SweepPlan
from faying.results.main_effects import main_effects
from faying.results.results import Results
from faying.session import Session
from faying.units import UnitSystemName, unit_text
from faying_app.context import Context
from faying_app.item_models.number_table import Column
from faying_app.output_file import ask_for_output
from faying_app.panels import panels
from faying_app.panels._study_panel import StudyPanel
from faying_app.tasks.opening import open_project

_EFFECTS = "Main effects"
_MOST_LINES = 8  # that can be distinguished in one plot


@panels.register("sweep")
class SweepPanel(StudyPanel):
    """A plot, the table behind it, and buttons that open points; grows while the sweep runs."""

    title = "Sweep"
    icon = "results"
    order = 66
    analyses = ("sweep",)
    page = "sweeps"

    study = Sweep
    nothing = "Select a sweep that has been run."
    table = TABLE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.response = self.choice("Which result is drawn", self._draw)
        self.over = self.choice("Which decision it is drawn over", self._draw)
        self.best = self._button("Open best", "Open the best point as a project: its decisions are in place")
        self.worst = self._button("Open worst", "Open the worst point as a project")
        self.chosen = self._button("Open selected", "Open the point of the selected row as a project")
        self.best.clicked.connect(lambda: self.open_point(int(self._results.report.get("best_point", 0)) - 1))
        self.worst.clicked.connect(
            lambda: self.open_point(int(self._results.report.get("worst_point", 0)) - 1)
        )
        self.chosen.clicked.connect(lambda: self.open_point(self._selected()))
        self.view.doubleClicked.connect(lambda _index: self.open_point(self._selected()))
        self.told = QLabel(self)
        self.told.setWordWrap(True)
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.told.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        area = QScrollArea(self)  # the panel is low
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(self.told)
        area.setFixedHeight(2 * self.fontMetrics().lineSpacing() + 4)
        buttons = ((self.best, self.worst), (self.chosen, self.copy, self.export))
        self.lay_out(((self.response,), (self.over,), *buttons, (area,)), (230, 270, 250), (2, 2))

    def show_study(self, study: Sweep, results: Results) -> None:
        """Show the points that are there."""
        self._results, self._sweep = results, study
        self._show()

    def open_point(self, number: int) -> None:
        """Write the project that a point is, and open it."""
        if number < 0:
            return
        context = self.context
        try:
            plan = SweepPlan(context.project, self._sweep)
            (row,) = self._rows[self._rows[:, 0] == number + 1]
            point = plan.computed_point(number, row[1 : 1 + len(plan.decisions)].tolist())
            project = plan.project_of(point)
            project = project.with_(
                name=f"{project.name}, {point.label}",
                note="\n".join(
                    filter(None, [project.note, f"Point of the sweep {self._sweep.name!r}: {point.label}."])
                ),
            )
            name = f"{context.project.name}, point {number + 1}"
            path = ask_for_output(context, "Open a point as a project", name, [("Projects", (".faying",))])
            if path is None:
                return
            # With what is in the store of it: of the best and of the worst point its results, too.
            session = Session(project, context.computed.store, base=context.computed.base)
            session.save(path, replace=True)
        except FayingError as error:
            context.show_error(error)
            return
        open_project(context, path)

    def _button(self, title: str, tip: str) -> QPushButton:
        button = QPushButton(title, self)
        button.setToolTip(tip)
        return button

    def _selected(self) -> int:
        """Return the number of the point of the selected row, −1 without one."""
        rows = self.view.selectionModel().selectedRows()
        if not rows:
            self.context.say("Select a row of the table first.")
            return -1
        source = self.view.source_row(rows[0])
        return int(self.view.table.columns[1].values[source]) - 1

    def _show(self) -> None:
        heads, rows = self._results.table(TABLE)
        there = np.flatnonzero(~np.isnan(rows[:, 0]))
        self._heads, self._rows = heads, rows[there]
        failed = self._results.report.get("not_computed", {})
        names = [self._results.label(int(i)) for i in there]
        units = self.context.project.units
        self.view.show_columns(table_columns(heads, self._rows, names, failed, self._quantities, units))
        responses = [response.label for response in self._sweep.responses]
        varied = list(heads[1 : 1 + len(self._sweep.variations)])
        effects = [_EFFECTS] if main_effects(self._results) else []
        for box, entries in ((self.response, responses), (self.over, varied + effects)):
            if [box.itemText(i) for i in range(box.count())] != entries:
                box.clear()
                box.addItems(entries)
        report = self._results.report
        self.best.setEnabled(report.get("best_point", 0) > 0)
        self.worst.setEnabled(report.get("worst_point", 0) > 0)
        lines = [f"Best: {report['best']}", f"Worst: {report['worst']}"] if report.get("best") else []
        if report.get("search"):
            lines.append(f"The search {report['search']}.")
        if failed:
            lines.append(f"⚠ {len(failed)} of {len(rows)} points were not computed: see the last column.")
        elif not report:
            lines.append(f"{len(there)} of {len(rows)} points")
        self.told.setText("\n".join(lines))
        self._draw()

    @property
    def _quantities(self) -> dict[str, str]:
        found: dict[str, str] = self._results.settings.get("quantities", {})
        return found

    def _draw(self) -> None:
        response, over = self.response.currentText(), self.over.currentText()
        if not response or not over:
            return
        units = self.context.project.units
        if over == _EFFECTS:
            plot = diagrams_of(self._results, units).get(f"{TITLE}{response}")
            if plot is not None:
                self.plot.show_plot(plot)
                self.plot.fit()
            return
        varied = self._heads[1 : 1 + len(self._sweep.variations)]
        series = series_of(self._heads, self._rows, response, over, varied, self._sweep.plan)
        x, y = (Axis(name, _unit(self._quantities.get(name, ""), units)) for name in (over, response))
        self.plot.show_plot(Plot(f"{response} over {over}", x, y, series))
        self.plot.fit()


def _unit(quantity: str, units: UnitSystemName) -> str:
    return unit_text(quantity, units) if quantity else ""


def series_of(
    heads: tuple[str, ...], rows: np.ndarray, response: str, over: str, varied: tuple[str, ...], plan: str
) -> tuple[Series, ...]:
    """Return a response over a decision: points of a hypercube or search, else a line for each value of the others.

    Args:
        heads: of the table.
        rows: (n, columns) of the points that are there.
        response, over: heads of what is drawn.
        varied: heads of all decisions.
        plan: of the sweep.
    """
    at = {name: i for i, name in enumerate(heads)}
    known = rows[~np.isnan(rows[:, at[response]])]
    others = [name for name in varied if name != over]
    if plan == "grid" and others:
        groups = np.unique(known[:, [at[name] for name in others]], axis=0)
        if len(groups) <= _MOST_LINES:
            found = []
            for k, group in enumerate(groups):
                chosen = known[(known[:, [at[name] for name in others]] == group).all(axis=1)]
                chosen = chosen[np.argsort(chosen[:, at[over]])]
                name = ", ".join(f"{other} = {value:.4g}" for other, value in zip(others, group, strict=True))
                found.append(Series(name, chosen[:, at[over]], chosen[:, at[response]], k, points=True))
            return tuple(found)
    known = known[np.argsort(known[:, at[over]], kind="stable")]
    scattered = plan in ("latin_hypercube", "search") or bool(others)
    x, y = known[:, at[over]], known[:, at[response]]
    if scattered:  # a line from point to point would mean nothing
        x, y = (np.column_stack([values, np.full(len(values), np.nan)]).ravel() for values in (x, y))
    return (Series(response, x, y, 0, points=True),)


def table_columns(
    heads: tuple[str, ...],
    rows: np.ndarray,
    names: list[str],
    failed: dict[str, str],
    quantities: dict[str, str],
    units: UnitSystemName,
) -> list[Column]:
    """Return the table of a sweep: points by name, their values, and why some have none."""
    columns = [Column("Name", names)]
    for i, head in enumerate(heads):
        unit = {POINT: "", SECONDS: "s"}.get(head, _unit(quantities.get(head, ""), units))
        title = head.capitalize() if head in (POINT, SECONDS) else head
        form = ".0f" if head == POINT else ".3g" if head == SECONDS else ".6g"
        columns.append(Column(f"{title} [{unit}]" if unit else title, rows[:, i], form))
    if failed:
        columns.append(
            Column("Not computed", [failed.get(name, "") for name in names], "", "Why a point has no values.")
        )
    return columns
