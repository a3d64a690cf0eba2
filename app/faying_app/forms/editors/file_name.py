"""The name of a file, typed or chosen in a dialog."""

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QToolButton, QWidget

from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import Editor, Surroundings, editors
from faying_app.look.icons import icon


@editors.register("file_name")
class FileNameEditor(Editor):
    """A line with a button that opens a file dialog."""

    rank = 15

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(declaration, around, parent)
        self.line, self.button, self._shown = QLineEdit(self), QToolButton(self), ""
        self.line.setPlaceholderText("none")
        self.button.setIcon(icon("folder"))
        self.button.setToolTip(f"Choose the file: {declaration.title.lower()}")
        self.button.setAccessibleName(f"Choose {declaration.title.lower()}")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.line, 1)
        row.addWidget(self.button)
        self.setFocusProxy(self.line)
        self.line.editingFinished.connect(self._propose)
        self.button.clicked.connect(self._choose)

    @classmethod
    def suits(cls, declaration: Declaration) -> bool:
        """Texts that name a file."""
        return declaration.annotation is str and declaration.choices == "file"

    def show_value(self, value: Any) -> None:
        """Show the name; its end is most distinctive."""
        self._shown = "" if value is None else str(value)
        if self.line.text() != self._shown:
            self.line.setText(self._shown)
        self.line.setToolTip(self._shown)

    def _choose(self) -> None:
        folder = str(Path(self._shown).parent) if self._shown else ""
        chosen, _ = QFileDialog.getOpenFileName(
            self.window(), f"Choose {self.declaration.title.lower()}", folder
        )
        if chosen:
            self.line.setText(chosen)
            self._propose()

    def _propose(self) -> None:
        text = self.line.text().strip()
        if text != self._shown or self.line.property("wrong"):
            self._shown = text
            self.edited.emit(text)
