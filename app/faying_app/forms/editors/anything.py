"""The last resort: shows a value that no other editor knows, and leaves it alone."""

from typing import Any

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import Editor, Surroundings, editors


@editors.register("anything")
class AnythingEditor(Editor):
    """A text of the value that cannot be changed here."""

    rank = 1000

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(declaration, around, parent)
        self._label = QLabel(self)
        self._label.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3, 0, 3)
        column.addWidget(self._label)

    @classmethod
    def suits(cls, declaration: Declaration) -> bool:
        """Everything."""
        return True

    def show_value(self, value: Any) -> None:
        """Show the value as text."""
        self._label.setText("none" if value is None else str(value))
