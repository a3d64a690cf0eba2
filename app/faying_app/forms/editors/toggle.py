"""Yes or no."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import VARIOUS, Editor, Surroundings, editors


@editors.register("toggle")
class ToggleEditor(Editor):
    """A check box."""

    rank = 10
    shows_various = True

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
        self.box.setTristate(False)
        self.box.setText("")
        self.box.setChecked(bool(value))

    def show_various(self) -> None:
        """Show a box that is ticked in part."""
        self.box.setTristate(True)
        self.box.setCheckState(Qt.CheckState.PartiallyChecked)
        self.box.setText(VARIOUS)
