"""A table of columns of numbers and texts: sortable, and written as text for other programs."""

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from faying.csv_cells import text_cell
from faying.units import plain_number

Index = QModelIndex | QPersistentModelIndex
SortRole = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        title: heading, with the unit.
        values: a number or text for each row; nothing is shown for NaN.
        form: how numbers are shown.
        meaning: a sentence for the heading's tooltip.
    """

    title: str
    values: Sequence[Any] | np.ndarray
    form: str = ".5g"
    meaning: str = ""


class NumberTable(QAbstractTableModel):
    """Columns of the same length. Rows are sorted by a proxy that asks for `SortRole`."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[Column, ...] = ()

    def show_columns(self, columns: Sequence[Column]) -> None:
        """Show other columns."""
        self.beginResetModel()
        self.columns = tuple(columns)
        self.endResetModel()

    def text(self, rows: Sequence[int], delimiter: str = "\t") -> str:
        """Return rows with headings as delimited text, numbers to ten digits."""
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
        writer.writerow([text_cell(column.title) for column in self.columns])
        writer.writerows([[text_cell(_text(c.values[row], ".10g")) for c in self.columns] for row in rows])
        return out.getvalue()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of rows."""
        return 0 if parent.isValid() or not self.columns else len(self.columns[0].values)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return text, alignment, or the value to sort by."""
        column = self.columns[index.column()]
        value = column.values[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return _text(value, column.form)
        if role == SortRole:
            return value if isinstance(value, str) else None if math.isnan(value) else float(value)
        if role == Qt.ItemDataRole.TextAlignmentRole and not isinstance(value, str):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return a heading, or its meaning as a tooltip."""
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.columns[section].meaning or None
        return None


def _text(value: Any, form: str) -> str:
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return ""
    return plain_number(value, int(form[1:-1])) if form.endswith("g") else format(value, form)
