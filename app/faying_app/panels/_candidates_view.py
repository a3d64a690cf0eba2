"""The table of candidates with its buttons: rows are edited one by one or many at once."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QInputDialog, QPushButton, QTableView, QWidget

from faying_app.item_models.candidates_table import CandidatesTable
from faying_app.look.tips import tip


class CandidatesView(QTableView):
    """Shows candidates; `chosen_changed` tells that other rows are selected.

    Attributes:
        buttons: what acts on the selected rows, for the panel to place.
    """

    chosen_changed = Signal()

    def __init__(self, table: CandidatesTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self.setModel(table)
        self.setAccessibleName("Candidates")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(24)
        self._name_width = 0
        self.tick_button = self._button("Tick", "Tick or untick the selected rows.", self.tick)
        self.swap_button = self._button("Swap", "Swap master and slave of the selected rows.", self.swap)
        self.name_button = self._button(
            "Name…", "Give the selected rows one name, with numbers.", self.ask_name
        )
        self.merge_button = self._button(
            "Merge",
            "Make one joint of the selected rows: their masters together, and their slaves.",
            self.merge,
        )
        self.buttons = (self.tick_button, self.swap_button, self.merge_button, self.name_button)
        self.selectionModel().selectionChanged.connect(lambda *_: self._selected())
        table.modelReset.connect(self._selected)
        self._selected()

    def chosen_rows(self) -> list[int]:
        """Return the selected rows."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def tick(self) -> None:
        """Untick the selected rows if all of them are ticked, else tick them."""
        rows = self.chosen_rows()
        wanted = not all(self._table.rows[row].ticked for row in rows)
        for row in rows:
            self._table.change(row, ticked=wanted)

    def swap(self) -> None:
        """Swap master and slave of the selected rows."""
        for row in self.chosen_rows():
            self._table.swap(row)
        self.chosen_changed.emit()

    def merge(self) -> None:
        """Put the selected rows together to one."""
        rows = self.chosen_rows()
        self._table.merge(rows)
        self.selectRow(rows[0])
        self.fit()

    def ask_name(self) -> None:
        """Ask for a name for the selected rows."""
        name, agreed = QInputDialog.getText(self, "Name candidates", "Name of the selected candidates:")
        if agreed and name.strip():
            self.name_all(name.strip())

    def name_all(self, name: str) -> None:
        """Name the selected rows; from the second on with a number."""
        for number, row in enumerate(self.chosen_rows(), 1):
            self._table.change(row, name=name if number == 1 else f"{name} {number}")

    def fit(self) -> None:
        """Give each column the width of its widest text, and names the room that is left."""
        self.resizeColumnsToContents()
        for section in range(self._table.columnCount()):
            self.setColumnWidth(section, max(self.columnWidth(section) + 12, 84))
        self._name_width = self.columnWidth(0)
        self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give names the room that is left."""
        super().resizeEvent(event)
        self._fill()

    def _fill(self) -> None:
        spare = self.viewport().width() - self.horizontalHeader().length()
        self.setColumnWidth(0, max(self.columnWidth(0) + spare, self._name_width))

    def _button(self, title: str, meaning: str, do: Callable[[], None]) -> QPushButton:
        button = QPushButton(title, self)
        button.setToolTip(tip(meaning))
        button.clicked.connect(lambda _checked=False: do())
        return button

    def _selected(self) -> None:
        count = len(self.selectionModel().selectedRows())
        for button in self.buttons:
            button.setEnabled(count > (button is self.merge_button))
        self.chosen_changed.emit()
