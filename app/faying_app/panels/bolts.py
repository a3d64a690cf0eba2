"""Bolts: forces, load factors, residual clamp loads and reserves of the selected analysis."""

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from faying.analyses import BodyAnalysis
from faying.exporters.questions import BoltTableQuestion
from faying.project.stage import target_of
from faying.results.bolt_table import AXIAL, HEADS, BoltRow, columns_of, head_text
from faying.units import UnitSystemName
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.item_models.number_table import Column
from faying_app.panels import Panel, panels
from faying_app.panels._number_table import NumberTableView

_NOTHING = "Select an analysis of a body with bolts that has been run."


@panels.register("bolts")
class BoltsPanel(Panel):
    """A table with a row for each bolt; the worker fills it while somebody looks."""

    title = "Bolts"
    icon = "results"
    area = "bottom"
    order = 55

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.view = NumberTableView(context, "Bolts", self)
        copy, export = QPushButton("Copy", self), QPushButton("CSV…", self)
        copy.setToolTip("Copy the rows to paste them into a spreadsheet (Ctrl+C in the table)")
        export.setToolTip("Write the rows to a file of comma-separated values")
        copy.clicked.connect(self.view.copy)
        export.clicked.connect(self.view.export)
        self._empty = QLabel(_NOTHING, self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setProperty("role", "muted")
        shown, row, buttons = QWidget(self), QHBoxLayout(), QVBoxLayout()
        buttons.setContentsMargins(6, 4, 6, 4)
        buttons.addWidget(copy)
        buttons.addWidget(export)
        buttons.addStretch(1)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.view, 1)
        row.addLayout(buttons)
        shown.setLayout(row)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(shown)
        self._pages.addWidget(self._empty)
        self._known: tuple[Any, tuple[BoltRow, ...]] | None = None
        context.changed.connect(self.refresh)
        self.refresh()

    def sizeHint(self) -> QSize:
        """Return a height at which a few bolts are read."""
        return QSize(600, 150)

    def showEvent(self, event: Any) -> None:
        """Find the table when somebody looks."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the table of the selected analysis, and ask for it while it is not known."""
        analysis = analysis_at(self.context.project, self.context.entity)
        results = self.context.computed.results(analysis.name) if isinstance(analysis, BodyAnalysis) else None
        if analysis is None or results is None or not any(n.endswith(AXIAL) for n in results.curve_names):
            self._empty.setText(_NOTHING)
            self._pages.setCurrentIndex(1)
            return
        body = self.context.project.body(analysis.owner)
        strengths = tuple((bolt.name, bolt.size, bolt.strength_class) for bolt in body.bolts)
        state = self.context.computed.state(target_of(analysis))
        key = ("bolts", state.key, results.n_frames, strengths)
        if self._known is not None and self._known[0] == key:
            self._show(self._known[1])
            return
        self._empty.setText("Looking at the bolts …")
        self._pages.setCurrentIndex(1)
        if self.isVisible():
            question = BoltTableQuestion(analysis.name, "", "")
            self.context.questions.ask(key, question, lambda rows: self._take(key, rows))

    def _take(self, key: Any, rows: tuple[BoltRow, ...]) -> None:
        self._known = (key, rows)
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
