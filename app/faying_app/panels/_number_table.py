"""A view of a table of numbers: sorts by a click on a heading; its rows go to a spreadsheet or a file."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from faying_app.context import Context
from faying_app.item_models.number_table import Column, NumberTable, SortRole
from faying_app.panels._table_actions import TableActions

_MOST_WIDE = 240


class NumberTableView(QTableView):
    """Shows columns; `copy` and `export` are those of `TableActions`."""

    def __init__(self, context: Context, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = NumberTable()
        self.table.setParent(self)  # what Python alone owns outlives its window: its connections hold it
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self.table)
        self._sorted.setSortRole(SortRole)
        self.setModel(self._sorted)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(24)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.actions_of_table = TableActions(self, context, self._text)
        self.copy, self.export = self.actions_of_table.copy, self.actions_of_table.save

    def show_columns(self, columns: Sequence[Column]) -> None:
        """Show other columns; the sorting stays while the headings do."""
        same = [c.title for c in columns] == [c.title for c in self.table.columns]
        self.table.show_columns(columns)
        if not same:
            self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
            self._fit()

    def source_row(self, index: QModelIndex) -> int:
        """Return the row of the columns that a row as it is sorted now is of."""
        return self._sorted.mapToSource(index).row()

    def _text(self, rows: Sequence[int], delimiter: str) -> str:
        """Return rows in the order shown, numbers with all their digits."""
        return self.table.text([self.source_row(self._sorted.index(row, 0)) for row in rows], delimiter)

    def _fit(self) -> None:
        """Give each column the width of its widest text."""
        self.resizeColumnsToContents()
        for section in range(self.table.columnCount()):
            self.setColumnWidth(section, min(self.columnWidth(section) + 8, _MOST_WIDE))
