"""Yes or no."""

from typing import Any

from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import Editor, Surroundings, editors


@editors.register("toggle")
class ToggleEditor(Editor):
    """A check box."""

    rank = 10

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(declaration, around, parent)
        self.box = QCheckBox(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.addWidget(self.box)
        self.setFocusProxy(self.box)
        self.box.clicked.connect(lambda checked: self.edited.emit(checked))

    @classmethod
    def suits(cls, declaration: Declaration) -> bool:
        """Booleans."""
        return declaration.annotation is bool

    def show_value(self, value: Any) -> None:
        """Show the value."""
        self.box.setChecked(bool(value))
