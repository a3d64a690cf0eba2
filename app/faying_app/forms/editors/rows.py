"""Rows of numbers: points of a characteristic or of a curve in space, bands."""

import re
from typing import Any, get_args, get_origin

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import Editor, Surroundings, editors
from faying_app.forms.editors.number import number_text

_ROWS_SHOWN = (3, 10)


@editors.register("rows")
class RowsEditor(Editor):
    """A row of numbers a line, separated by commas, semicolons, tabs or spaces, as a spreadsheet pastes them.

    Between tabs and semicolons a comma is a decimal one. Headings above the numbers are left out.
    """

    rank = 35

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(declaration, around, parent)
        self.text, self._shown = QPlainTextEdit(self), ""
        width = len(get_args(declaration.item))
        self.text.setPlaceholderText("\n".join([", ".join(["0"] * width), "…"]))
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(declaration.title)
        self.text.installEventFilter(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.text)
        self.setFocusProxy(self.text)

    @classmethod
    def suits(cls, declaration: Declaration) -> bool:
        """Tuples of tuples of two or three floating-point numbers."""
        parts = get_args(declaration.item)
        return get_origin(declaration.item) is tuple and len(parts) in (2, 3) and set(parts) == {float}

    def show_value(self, value: Any) -> None:
        """Show the rows."""
        self._shown = "\n".join(", ".join(number_text(x) for x in row) for row in value or ())
        if self.text.toPlainText() != self._shown:
            self.text.setPlainText(self._shown)
        least, most = _ROWS_SHOWN
        rows = min(max(len(value or ()) + 1, least), most)
        line = self.text.fontMetrics().lineSpacing()
        self.text.setFixedHeight(rows * line + 2 * self.text.frameWidth() + 10)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Propose what was typed when the focus leaves."""
        if watched is self.text and event.type() == QEvent.Type.FocusOut:
            self._propose()
        return super().eventFilter(watched, event)

    def _propose(self) -> None:
        text = self.text.toPlainText()
        if text == self._shown and not self.text.property("wrong"):
            return
        self._shown = text
        self.edited.emit(read_rows(text))


def read_rows(text: str) -> tuple[tuple[float | str, ...], ...]:
    """Return the rows of a text, without headings; words that are no numbers stay, and the project refuses them."""
    rows: list[tuple[float | str, ...]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        apart = re.split(r"\s*[;\t]\s*", line)
        words = (
            [word.replace(",", ".") for word in apart] if len(apart) > 1 else re.split(r"\s*,\s*|\s+", line)
        )
        row = tuple(_number(word) for word in words if word)
        if rows or any(isinstance(value, float) for value in row):
            rows.append(row)
    return tuple(rows) or tuple((word,) for word in text.split())


def _number(word: str) -> float | str:
    """Return the number; the word itself where it is none, which the project then refuses."""
    try:
        return float(word)
    except ValueError:
        return word
