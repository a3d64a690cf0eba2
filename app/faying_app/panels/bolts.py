"""Bolts: forces, load factors, residual clamp loads and reserves of the selected analysis."""

from functools import partial
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedLayout, QWidget

from faying.analyses import SystemAnalysis
from faying.exporters.questions import BoltTableQuestion
from faying.project.stage import target_of
from faying.results.bolt_table import HEADS, BoltRow, columns_of, head_text
from faying.units import UnitSystemName
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.item_models.number_table import Column
from faying_app.panels import Panel, panels
from faying_app.panels._number_table import NumberTableView
from faying_app.panels._table_buttons import beside, nothing_label, table_buttons

_NOTHING = "Select an analysis of a body or system with bolts that has been run."


@panels.register("bolts")
class BoltsPanel(Panel):
    """A table with a row for each bolt; the worker fills it while the panel is visible."""

    title = "Bolts"
    icon = "results"
    area = "bottom"
    order = 55

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.view = NumberTableView(context, "Bolts", self)
        self._empty = nothing_label(_NOTHING, self)
        shown = beside(self.view, table_buttons(self.view.copy, self.view.export, self), self)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(shown)
        self._pages.addWidget(self._empty)
        self._known: dict[Any, tuple[BoltRow, ...]] = {}
        context.changed.connect(self.refresh)
        self.refresh()

    def sizeHint(self) -> QSize:
        """Return a height at which a few bolts are read."""
        return QSize(600, 150)

    def showEvent(self, event: Any) -> None:
        """Compute the table when the panel becomes visible."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the table of the selected analysis, and ask for it while it is not known."""
        wanted = self._wanted()
        self._known = {key: rows for key, rows in self._known.items() if key in wanted}
        if wanted and len(self._known) == len(wanted):
            self._show(tuple(row for key in wanted for row in self._known[key]))
            return
        self._empty.setText("Looking at the bolts …" if wanted else _NOTHING)
        self._pages.setCurrentIndex(1)
        if self.isVisible():
            for key, question in wanted.items():
                if key not in self._known:
                    self.context.questions.ask(key, question, partial(self._take, key))

    def _wanted(self) -> dict[Any, BoltTableQuestion]:
        """Return the questions of the selected analysis, of each flexible part of a system one, by their keys."""
        project, computed = self.context.project, self.context.computed
        analysis = analysis_at(project, self.context.entity)
        results = None if analysis is None else computed.results(analysis.name)
        if analysis is None or results is None:
            return {}
        parts = {"": analysis.owner}
        if isinstance(analysis, SystemAnalysis):
            system = next(s for s in project.systems if s.name == analysis.owner)
            parts = {part.name: part.body_name() for part in system.parts if part.body_name()}
        state, found = computed.state(target_of(analysis)), {}
        for part, body in parts.items():
            if any(key.part == part and key.kind == "bolt" for key in results.curve_keys):
                bolts = project.body(body).bolts
                strengths = tuple((bolt.name, bolt.size, bolt.strength_class) for bolt in bolts)
                key = ("bolts", part, state.key, results.n_frames, strengths)
                found[key] = BoltTableQuestion(analysis.name, "", "", part=part)
        return found

    def _take(self, key: Any, rows: tuple[BoltRow, ...]) -> None:
        self._known[key] = rows
        self.refresh()

    def _show(self, rows: tuple[BoltRow, ...]) -> None:
        self.view.show_columns(bolt_columns(rows, self.context.project.units))
        self._pages.setCurrentIndex(0)


def bolt_columns(rows: tuple[BoltRow, ...], units: UnitSystemName) -> list[Column]:
    """Return the columns of the table, shares in percent."""
    found = []
    for name in columns_of(rows):
        head, values = HEADS[name], [getattr(row, name) for row in rows]
        if head.is_share:
            values = [100.0 * value for value in values]
        found.append(Column(head_text(name, units), values, meaning=head.meaning))
    return found
