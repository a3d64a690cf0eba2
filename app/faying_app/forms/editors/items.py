"""Several numbers or words in one line, or a mere count where they are too many to be typed."""

from types import UnionType
from typing import Any, Union, get_args, get_origin

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import Editor, Surroundings, editors
from faying_app.forms.editors.number import number_text


@editors.register("items")
class ItemsEditor(Editor):
    """Comma-separated numbers or words; tuples of tuples (picked faces) only by their count."""

    rank = 40

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(declaration, around, parent)
        self.line, self._shown = QLineEdit(self), ""
        self._typed = _is_typed(declaration.item)
        self.line.setReadOnly(not self._typed)
        known = around.names(declaration.choices) if declaration.choices else []
        self.line.setPlaceholderText(f"none of {', '.join(known)}" if known else "none")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.line)
        self.setFocusProxy(self.line)
        self.line.editingFinished.connect(self._propose)

    @classmethod
    def suits(cls, declaration: Declaration) -> bool:
        """Tuples of any length of numbers, words, or tuples of these."""
        item = declaration.item
        return _is_typed(item) or (get_origin(item) is tuple and bool(get_args(item)))

    def show_value(self, value: Any) -> None:
        """Show the items, or how many there are."""
        items = value or ()
        if self._typed:
            self._shown = ", ".join(str(v).lower() if isinstance(v, bool) else number_text(v) for v in items)
        else:
            self._shown = f"{len(items)} chosen in the 3D view"
        if self.line.text() != self._shown:
            self.line.setText(self._shown)
            self.line.setCursorPosition(0)

    def _propose(self) -> None:
        text = self.line.text()
        if self._typed and (text != self._shown or self.line.property("wrong")):
            self._shown = text
            self.edited.emit(tuple(word.strip() for word in text.split(",") if word.strip()))


def _is_typed(item: Any) -> bool:
    """Return whether items are numbers or words, or any of these."""
    kinds = set(get_args(item)) if get_origin(item) in (Union, UnionType) else {item}
    return bool(kinds) and kinds <= {bool, int, float, str} and kinds != {bool}
