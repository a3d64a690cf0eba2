"""A line or a few lines of text."""

from typing import Any

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import VARIOUS, Editor, Surroundings, editors


@editors.register("text")
class TextEditor(Editor):
    """A line of text."""

    rank = 60
    shows_various = True

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(declaration, around, parent)
        self.line, self._shown = QLineEdit(self), ""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.line)
        self.setFocusProxy(self.line)
        self.line.editingFinished.connect(self._propose)

    @classmethod
    def suits(cls, declaration: Declaration) -> bool:
        """Any text."""
        return declaration.annotation is str

    def show_value(self, value: Any) -> None:
        """Show the text from its beginning."""
        self._shown = "" if value is None else str(value)
        if self.line.text() != self._shown:
            self.line.setText(self._shown)
            self.line.setCursorPosition(0)
        self.line.setToolTip(self._shown if len(self._shown) > 24 else "")

    def show_various(self) -> None:
        """Show an empty line that says so."""
        self._shown = ""
        self.line.clear()
        self.line.setPlaceholderText(VARIOUS)

    def _propose(self) -> None:
        text = self.line.text()
        if text != self._shown or self.line.property("wrong"):
            self._shown = text
            self.edited.emit(None if not text and self.declaration.optional else text)
