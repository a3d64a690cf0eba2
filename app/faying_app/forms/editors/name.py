"""The name of something that exists: an interface, a body, a surface or set of the deck."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import VARIOUS, Editor, QuietWheel, Surroundings, editors


@editors.register("name")
class NameEditor(Editor):
    """A list of the existing names; another one may be typed (its thing may come later)."""

    rank = 20
    shows_various = True

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(declaration, around, parent)
        self.box, self._shown = QComboBox(self), ""
        self.box.setEditable(True)
        self.box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(8)
        self.box.installEventFilter(QuietWheel(self))
        self.box.addItems(around.names(declaration.choices))
        completer = self.box.completer()
        if completer is not None:
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCompletionMode(completer.CompletionMode.PopupCompletion)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.box)
        self.setFocusProxy(self.box)
        self.box.activated.connect(lambda _index: self._propose())
        line = self.box.lineEdit()
        assert line is not None
        self._line = line
        line.editingFinished.connect(self._propose)

    @classmethod
    def suits(cls, declaration: Declaration) -> bool:
        """Texts that refer to something."""
        return declaration.annotation is str and bool(declaration.choices)

    def show_value(self, value: Any) -> None:
        """Show the name."""
        self._shown = "" if value is None else str(value)
        self._line.setPlaceholderText("none" if self.declaration.may_be_empty else "")
        self.box.setCurrentIndex(self.box.findText(self._shown))
        self.box.setEditText(self._shown)

    def show_various(self) -> None:
        """Show an empty line that says so."""
        self._shown = ""
        self.box.setCurrentIndex(-1)
        self.box.setEditText("")
        self._line.setPlaceholderText(VARIOUS)

    def _propose(self) -> None:
        text = self.box.currentText().strip()
        if text != self._shown or self.box.property("wrong"):
            self._shown = text
            self.edited.emit(None if not text and self.declaration.optional else text)
