"""One of a few words."""

from typing import Any

from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import VARIOUS, Editor, QuietWheel, Surroundings, editors


@editors.register("choice")
class ChoiceEditor(Editor):
    """A list of the allowed words."""

    rank = 10
    shows_various = True

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(declaration, around, parent)
        self.box = QComboBox(self)
        self.box.installEventFilter(QuietWheel(self))
        for word in (("",) if declaration.optional else ()) + declaration.words:
            self.box.addItem(word.replace("_", " ") or "none", word)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.box)
        self.setFocusProxy(self.box)
        self.box.activated.connect(self._propose)

    @classmethod
    def suits(cls, declaration: Declaration) -> bool:
        """Literals."""
        return bool(declaration.words)

    def show_value(self, value: Any) -> None:
        """Show the word."""
        self.box.setCurrentIndex(max(self.box.findData("" if value is None else str(value)), 0))

    def show_various(self) -> None:
        """Show none of the words."""
        self.box.setPlaceholderText(VARIOUS)
        self.box.setCurrentIndex(-1)

    def _propose(self, _index: int) -> None:
        self.edited.emit(self.box.currentData() or None)
