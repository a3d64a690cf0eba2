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
    """A row of numbers a line, separated by commas, semicolons, tabs or spaces, as a spreadsheet pastes them."""

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
        rows = (re.split(r"\s*[;,\t]\s*|\s+", line.strip()) for line in text.splitlines() if line.strip())
        self.edited.emit(tuple(tuple(_number(word) for word in row if word) for row in rows))


def _number(word: str) -> float | str:
    """Return the number; the word itself where it is none, which the project then refuses."""
    try:
        return float(word)
    except ValueError:
        return word
