"""Reactions of supports, what came of each step, touches, events and flanks of gears, of the selected analysis."""

from typing import Any

from PySide6.QtCore import QModelIndex, QSize
from PySide6.QtWidgets import (
    QStackedLayout,
    QTabWidget,
    QWidget,
)

from faying.project.stage import target_of
from faying.results.run_tables import RUN_TABLES, Table, without_round_off
from faying.units import UnitSystemName
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.item_models.number_table import Column
from faying_app.panels import Panel, panels
from faying_app.panels._flank_view import FlankView
from faying_app.panels._number_table import NumberTableView
from faying_app.panels._shown_shape import show_shape
from faying_app.panels._table_buttons import beside, nothing_label, table_buttons

_NOTHING = "Select an analysis of a held body, or a motion of parts that touch, that has been run."


@panels.register("run_tables")
class RunTablesPanel(Panel):
    """A page for each table of the run; those that say nothing are left out."""

    title = "Tables"
    icon = "results"
    area = "bottom"
    order = 57
    analyses = ("modes", "system_modes")

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.views = {name: NumberTableView(context, title, self) for name, (title, _) in RUN_TABLES.items()}
        self.pattern = FlankView(context, self)
        for table in (*self.views.values(), self.pattern):
            table.hide()  # until it is a page
        for name, view in self.views.items():
            view.clicked.connect(lambda index, name=name: self._show_row(name, index))
        self._shows: dict[str, tuple[tuple[int, int], ...]] = {}
        self.pages = QTabWidget(self)
        self.pages.setDocumentMode(True)
        buttons = table_buttons(lambda: self._shown().copy(), lambda: self._shown().export(), self)
        self.pages.currentChanged.connect(
            lambda _: buttons[1].setText("SVG…" if self.pages.currentWidget() is self.pattern else "CSV…")
        )
        self._empty = nothing_label(_NOTHING, self)
        shown = beside(self.pages, buttons, self)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(shown)
        self._key: Any = None
        context.changed.connect(self.refresh)
        self.refresh()

    def sizeHint(self) -> QSize:
        """Return a height at which a few rows are read."""
        return QSize(600, 170)

    def showEvent(self, event: Any) -> None:
        """Compute the tables when the panel becomes visible."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the tables of the selected analysis; nothing is computed while the panel is hidden."""
        if not self.isVisible():
            return
        analysis, computed = analysis_at(self.context.project, self.context.entity), self.context.computed
        results = None if analysis is None else computed.results(analysis.name)
        units = self.context.project.units
        key = None
        if analysis is not None and results is not None:
            key = computed.state(target_of(analysis)).key, results.n_frames, results.complete, units
        if key == self._key:
            return
        self._key = key
        found = {} if results is None else {name: make(results) for name, (_, make) in RUN_TABLES.items()}
        tables = {name: without_round_off(table) for name, table in found.items()}
        self._show({name: table for name, table in tables.items() if table}, units)

    def _show_row(self, name: str, index: QModelIndex) -> None:
        """Show the frame and shape that a clicked row is of."""
        analysis = analysis_at(self.context.project, self.context.entity)
        results = None if analysis is None else self.context.computed.results(analysis.name)
        row, shows = self.views[name].source_row(index), self._shows.get(name, ())
        if results is not None and row < len(shows):
            show_shape(self.context, results, *shows[row])

    def _show(self, tables: dict[str, Table], units: UnitSystemName) -> None:
        self._shows = {name: table[0].shows for name, table in tables.items()}
        for name, view in self.views.items():
            at = self.pages.indexOf(view)
            if name in tables:
                view.show_columns([Column(c.head(units), c.values, meaning=c.meaning) for c in tables[name]])
                if at < 0:
                    self.pages.addTab(view, RUN_TABLES[name][0])
            elif at >= 0:
                self.pages.removeTab(at)
        at = self.pages.indexOf(self.pattern)
        drawn = self.pattern.show_table(tables.get("flanks", ()), units)
        if drawn and at < 0:
            self.pages.addTab(self.pattern, "Contact pattern")
        elif at >= 0 and not drawn:
            self.pages.removeTab(at)
        self._stack.setCurrentIndex(1 if tables else 0)

    def apply_theme(self) -> None:
        """Draw the contact pattern in the colours of the theme."""
        self.pattern.apply_theme()

    def _shown(self) -> NumberTableView | FlankView:
        found = self.pages.currentWidget()
        assert isinstance(found, NumberTableView | FlankView)
        return found
