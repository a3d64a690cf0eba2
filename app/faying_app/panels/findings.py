"""Findings: what the checks say about the project."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedLayout,
    QTableView,
    QWidget,
)

from faying.project import edits
from faying.project.checks import Finding, Remedy, entity_text
from faying_app.context import Context
from faying_app.look.icons import icon
from faying_app.panels import Panel, panels
from faying_app.panels._table_actions import TableActions

_COLOURS = {"error": "error", "warning": "warning", "note": "muted"}
_COLUMNS = ("Where", "What", "What to do", "Offer")
_OFFER = 3
Index = QModelIndex | QPersistentModelIndex


class FindingsModel(QAbstractTableModel):
    """One finding a row."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.findings: list[Finding] = []

    def show_findings(self, findings: list[Finding]) -> None:
        """Show other findings."""
        self.beginResetModel()
        self.findings = list(findings)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of findings."""
        return 0 if parent.isValid() else len(self.findings)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of columns; offers have one where there are any."""
        return len(_COLUMNS) if any(finding.remedy for finding in self.findings) else _OFFER

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return text or icon of a cell."""
        finding = self.findings[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            where = entity_text(self._context.project, finding.entity)
            offer = finding.remedy.label if finding.remedy else ""
            return (where, finding.sentence, finding.hint, offer)[index.column()]
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return icon(finding.severity, _COLOURS[finding.severity])
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == 0:
            return finding.severity
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the column's heading."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section]
        return None


@panels.register("findings")
class FindingsPanel(Panel):
    """Severity, place, sentence, hint and what may be done at once; a double click goes to the entity."""

    title = "Findings"
    icon = "findings"
    area = "bottom"
    order = 25

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.model = FindingsModel(context)
        self.view = QTableView(self)
        self.view.setModel(self.model)
        self.view.setAccessibleName("Findings")
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setWordWrap(True)
        self.view.setShowGrid(False)
        self.view.setIconSize(QSize(16, 16))
        self.view.verticalHeader().hide()
        head = self.view.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.resizeSection(0, 190)
        head.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.copies = TableActions(self.view, context)
        self._empty = QLabel("Nothing to complain about.", self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setProperty("role", "muted")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.view)
        self._pages.addWidget(self._empty)
        self._fit = QTimer(self, interval=50, singleShot=True)
        self._fit.timeout.connect(self.view.resizeRowsToContents)
        head.sectionResized.connect(lambda *_: self._fit.start())
        self.view.doubleClicked.connect(self._go)
        context.findings_changed.connect(self.refresh)
        self.refresh()

    def apply_theme(self) -> None:
        """Redraw the icons."""
        self.refresh()

    def refresh(self) -> None:
        """Show the findings as they are now."""
        self.model.show_findings(self.context.findings)
        for row, finding in enumerate(self.model.findings):
            if finding.remedy:
                self.view.setIndexWidget(self.model.index(row, _OFFER), self._button(finding.remedy))
        if self.model.columnCount() > _OFFER:
            head = self.view.horizontalHeader()
            head.setSectionResizeMode(_OFFER, QHeaderView.ResizeMode.ResizeToContents)
        self._pages.setCurrentIndex(0 if self.context.findings else 1)
        self._fit.start()

    def _button(self, remedy: Remedy) -> QPushButton:
        """Return a button that takes the decision that is offered."""
        button = QPushButton(remedy.label, self.view)
        button.setToolTip("Changes the project as it says; Edit ▸ Undo takes it back.")
        button.clicked.connect(
            lambda _checked=False: self.context.apply(
                remedy.label, edits.set_value(remedy.path, remedy.value)
            )
        )
        return button

    def _go(self, index: QModelIndex) -> None:
        self.context.selection.select(self.model.findings[index.row()].entity)
