"""A number, with its unit beside it; "210 GPa" is understood."""

from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from faying.units import unit_text
from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import Editor, Surroundings, editors


@editors.register("number")
class NumberEditor(Editor):
    """A line for a real or whole number; proposes the text, which the form reads with its unit."""

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(declaration, around, parent)
        self.line, self._shown = QLineEdit(self), ""
        unit = QLabel(unit_text(declaration.quantity, around.units), self)
        unit.setProperty("role", "unit")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(5)
        row.addWidget(self.line, 1)
        row.addWidget(unit)
        unit.setVisible(bool(unit.text()))
        self.setFocusProxy(self.line)
        self.line.editingFinished.connect(self._propose)

    @classmethod
    def suits(cls, declaration: Declaration) -> bool:
        """Real and whole numbers."""
        return declaration.annotation in (float, int)

    def show_value(self, value: Any) -> None:
        """Show the number in its shortest exact form; nothing for None."""
        self._shown = number_text(value)
        if self.line.text() != self._shown:
            self.line.setText(self._shown)
            self.line.setCursorPosition(0)

    def _propose(self) -> None:
        text = self.line.text().strip()
        if text == self._shown and not self.line.property("wrong"):
            return
        self._shown = text
        self.edited.emit(None if not text and self.declaration.optional else text)


def number_text(value: Any) -> str:
    """Return the shortest text that reads back as the same number: "50000", "1e-06"; "" for None."""
    if value is None:
        return ""
    if isinstance(value, float):
        text = repr(value)
        return text.removesuffix(".0")
    return str(value)
