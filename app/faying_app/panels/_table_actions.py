"""What every table offers: its rows for a spreadsheet, with their headings, and as a file."""

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView

from faying.atomic import write_text
from faying.csv_cells import text_cell
from faying_app.context import Context
from faying_app.output_file import ask_for_output, writing


class TableActions:
    """Copy, copy all and save, in the context menu of a table; Ctrl+C copies the selected rows, or all without any.

    Args:
        view: the table; rows are taken in the order shown.
        context: of the window.
        text: gives rows of the model with headings, separated by a character; what is shown without it.
    """

    def __init__(
        self,
        view: QAbstractItemView,
        context: Context,
        text: Callable[[Sequence[int], str], str] | None = None,
    ) -> None:
        self._view, self._context = view, context
        self._text = text or self._shown
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.copy_action = self._action("Copy", self.copy, QKeySequence.StandardKey.Copy)
        self.copy_all_action = self._action("Copy all", self.copy_all)
        self.save_action = self._action("Save as CSV…", self.save)

    def copy(self) -> None:
        """Put the selected rows, or all of them, on the clipboard."""
        chosen = sorted({index.row() for index in self._view.selectionModel().selectedIndexes()})
        self._put(chosen or self._all())

    def copy_all(self) -> None:
        """Put all rows on the clipboard."""
        self._put(self._all())

    def save(self) -> None:
        """Ask for a file and write all rows there."""
        view, kinds = self._view, [("Tables", (".csv",))]
        path = ask_for_output(self._context, "Save as CSV", view.accessibleName(), kinds, parent=view)
        if path is not None:
            with writing(self._context, path):
                write_text(path, self._text(self._all(), ","))

    def _put(self, rows: Sequence[int]) -> None:
        QGuiApplication.clipboard().setText(self._text(rows, "\t"))
        self._context.say(f"Copied {len(rows)} row{'' if len(rows) == 1 else 's'}.")

    def _all(self) -> list[int]:
        return list(range(self._view.model().rowCount()))

    def _shown(self, rows: Sequence[int], delimiter: str) -> str:
        model, out = self._view.model(), io.StringIO()
        columns, across = range(model.columnCount()), Qt.Orientation.Horizontal
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
        writer.writerow([text_cell(_words(model.headerData(column, across))) for column in columns])
        writer.writerows(
            [[text_cell(_words(model.index(row, column).data())) for column in columns] for row in rows]
        )
        return out.getvalue()

    def _action(
        self, title: str, do: Callable[[], None], key: QKeySequence.StandardKey | None = None
    ) -> QAction:
        action = QAction(title, self._view)
        if key is not None:
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda _checked=False: do())
        self._view.addAction(action)
        return action


def _words(value: Any) -> str:
    return "" if value is None else str(value)
