"""A few numbers in a row: a direction, a force."""

import math
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QVBoxLayout, QWidget

from faying.units import factor_to_si
from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import VARIOUS, Editor, Surroundings, editors
from faying_app.forms.editors.number import text_in_form, text_to_read, unit_in_form

STANDARD_GRAVITY = 9.80665  # m/s² (3rd CGPM, 1901)


@editors.register("vector")
class VectorEditor(Editor):
    """One line per component; proposes the texts, which the form reads with their unit."""

    rank = 30
    shows_various = True

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(declaration, around, parent)
        column, row = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        row.setSpacing(4)
        self.lines = [QLineEdit(self) for _ in range(declaration.vector)]
        for axis, line in zip("xyzabc", self.lines, strict=False):
            line.setPlaceholderText(axis)
            line.setMinimumWidth(36)
            line.setProperty("role", "component")  # three share the width of a field
            line.setAccessibleName(f"{declaration.title} {axis}")
            line.editingFinished.connect(self._propose)
            row.addWidget(line, 1)
        unit = QLabel(unit_in_form(declaration.quantity, around.units), self)
        unit.setProperty("role", "unit")
        if declaration.quantity == "acceleration" and declaration.vector == 3:
            below = QHBoxLayout()  # with unit and button at their side, the numbers would be cut off
            column.addLayout(below)
            below.addStretch(1)
            below.addWidget(unit)
            below.addWidget(self._standard_gravity())
        else:
            row.addWidget(unit)
        unit.setVisible(bool(unit.text()))
        self.setFocusProxy(self.lines[0])
        self._shown: tuple[str, ...] = ()

    def _standard_gravity(self) -> QToolButton:
        """Return the button that sets the length of the vector to g: in its direction, downwards without one."""
        button = QToolButton(self)
        button.setText("g")
        button.setAutoRaise(True)
        button.setToolTip("Standard gravity, 9.80665 m/s²: along the given direction, else along −z")
        button.setAccessibleName(f"{self.declaration.title}: standard gravity")

        def fill() -> None:
            try:
                given = [float(text) for text in self._shown]
            except ValueError:  # nothing yet, or values that differ
                given = [0.0, 0.0, 0.0]
            length = math.hypot(*given)
            direction = [value / length for value in given] if length else [0.0, 0.0, -1.0]
            g = STANDARD_GRAVITY / factor_to_si("acceleration", self.around.units)
            self.edited.emit(tuple(float(f"{g * value:.12g}") + 0.0 for value in direction))

        button.clicked.connect(lambda _checked=False: fill())
        return button

    @classmethod
    def suits(cls, declaration: Declaration) -> bool:
        """Tuples of numbers of fixed length."""
        return declaration.vector > 0

    def show_value(self, value: Any) -> None:
        """Show the components."""
        quantity, units = self.declaration.quantity, self.around.units
        given = value or (None,) * len(self.lines)
        self._shown = tuple(text_in_form(v, quantity, units) for v in given)
        for line, text in zip(self.lines, self._shown, strict=True):
            if line.text() != text:
                line.setText(text)
                line.setCursorPosition(0)

    def show_various(self) -> None:
        """Show empty lines that say so."""
        self._shown = ("",) * len(self.lines)
        for line in self.lines:
            line.clear()
            line.setPlaceholderText(VARIOUS)

    def _propose(self) -> None:
        texts = tuple(line.text().strip() for line in self.lines)
        if texts != self._shown or self.lines[0].property("wrong"):
            self._shown = texts
            quantity, units = self.declaration.quantity, self.around.units
            self.edited.emit(tuple(text_to_read(text, quantity, units) for text in texts))
