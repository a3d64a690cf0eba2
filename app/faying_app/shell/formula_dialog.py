"""Writing a formula over fields, checked while it is typed."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from faying.errors import ModelError
from faying.results.fields import fields
from faying.results.formula import OVER_RUN, find_field

_ADVICE = (
    "Numbers, fields, + − * / **, comparisons and functions: abs, sqrt, where(condition, then, else), larger, smaller, "
    "hypot … Over the run: "
) + ", ".join(f"{name}(…)" for name in OVER_RUN)


class FormulaDialog(QDialog):
    """A line for the formula, a list of fields to insert, and what is wrong with it; `written(text)` at OK."""

    written = Signal(str)

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Formula field")
        self.setMinimumWidth(520)
        self.line = QLineEdit(text, self)
        self.line.setPlaceholderText("friction_stress / maximum(pressure)")
        self.line.setAccessibleName("Formula")
        self.line.textChanged.connect(self._check)
        self.insert = QComboBox(self)
        self.insert.setAccessibleName("Insert a field")
        self.insert.addItem("Insert a field …", "")
        for title, kind in sorted((member.title, kind) for kind, member in fields.items()):
            self.insert.addItem(f"{title}: {kind}", kind)
        self.insert.activated.connect(self._insert)
        self.verdict, advice = QLabel(self), QLabel(_ADVICE, self)
        for label in (self.verdict, advice):
            label.setWordWrap(True)
        advice.setProperty("role", "muted")
        button = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(button.Ok | button.Cancel, self)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow("Formula", self.line)
        form.addRow("", self.insert)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self.verdict)
        column.addWidget(advice)
        column.addWidget(self.buttons)
        self._check()

    def _insert(self) -> None:
        if kind := self.insert.currentData():
            self.line.insert(kind)
        self.insert.setCurrentIndex(0)
        self.line.setFocus()

    def _check(self) -> None:
        text = self.line.text().strip()
        try:
            field = find_field(text) if text else None
            self.verdict.setText(f"A value per {_PLACES[field.location]}." if field is not None else "")
        except ModelError as error:
            field = None
            self.verdict.setText(str(error))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(field is not None)

    def _accept(self) -> None:
        self.written.emit(self.line.text().strip())
        self.accept()


_PLACES = {"joint": "contact pair", "body": "node"}
