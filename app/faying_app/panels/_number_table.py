"""A view of a table of numbers: sorts by a click on a heading, copies as TSV, exports as CSV."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from faying.atomic import write_text
from faying.errors import FayingError
from faying_app.context import Context
from faying_app.item_models.number_table import Column, NumberTable, SortRole
from faying_app.output_file import ask_for_output, wrote

_MOST_WIDE = 170


class NumberTableView(QTableView):
    """Shows columns; Ctrl+C copies the selected rows, or all without a selection, in the order shown."""

    def __init__(self, context: Context, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.table = NumberTable()
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
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.copy_action = self._action("Copy", self.copy, QKeySequence.StandardKey.Copy)
        self.export_action = self._action("Export as CSV…", self.export)

    def show_columns(self, columns: Sequence[Column]) -> None:
        """Show other columns; the sorting stays while the headings do."""
        same = [c.title for c in columns] == [c.title for c in self.table.columns]
        self.table.show_columns(columns)
        if not same:
            self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
            self._fit()

    def copy(self) -> None:
        """Put the selected rows, or all of them, on the clipboard for a spreadsheet."""
        chosen = {index.row() for index in self.selectionModel().selectedRows()}
        QGuiApplication.clipboard().setText(self.table.text(self._rows(chosen)))
        self._context.say("Copied.")

    def export(self) -> None:
        """Ask for a file and write all rows there."""
        kinds = [("Tables", (".csv",))]
        path = ask_for_output(self._context, "Export as CSV", self.accessibleName(), kinds, parent=self)
        if path is None:
            return
        try:
            write_text(path, self.table.text(self._rows(), ","))
        except OSError as error:
            self._context.show_error(
                FayingError(
                    f"{path} could not be written ({error.strerror or error}).", "Choose another place."
                )
            )
            return
        wrote(self._context, path)

    def _rows(self, chosen: set[int] | None = None) -> list[int]:
        """Return rows of the table in the order shown; all of them when none is chosen."""
        shown = range(self._sorted.rowCount())
        return [
            self._sorted.mapToSource(self._sorted.index(r, 0)).row()
            for r in shown
            if not chosen or r in chosen
        ]

    def _action(
        self, title: str, do: Callable[[], None], key: QKeySequence.StandardKey | None = None
    ) -> QAction:
        action = QAction(title, self)
        if key is not None:
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda _checked=False: do())
        self.addAction(action)
        return action

    def _fit(self) -> None:
        """Give each column the width of its widest text."""
        self.resizeColumnsToContents()
        for section in range(self.table.columnCount()):
            self.setColumnWidth(section, min(self.columnWidth(section) + 8, _MOST_WIDE))
