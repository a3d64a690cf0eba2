"""A number followed by its unit; "210 GPa" is understood."""

import math
from types import UnionType
from typing import Any, Union, get_args, get_origin

from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from faying.units import factor_to_si, unit_text
from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import VARIOUS, Editor, Surroundings, editors


@editors.register("number")
class NumberEditor(Editor):
    """A line for a real or whole number; proposes the text, which the form reads with its unit."""

    shows_various = True

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(declaration, around, parent)
        self.line, self._shown = QLineEdit(self), ""
        unit = QLabel(declaration.unit or unit_in_form(declaration.quantity, around.units), self)
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
        """Real and whole numbers, also where a text with a unit is left as it is."""
        annotation = declaration.annotation
        either = get_origin(annotation) in (Union, UnionType)
        return annotation in (float, int) or (either and set(get_args(annotation)) == {float, str})

    def show_value(self, value: Any) -> None:
        """Show the number in its shortest exact form; nothing for None."""
        self._shown = text_in_form(value, self.declaration.quantity, self.around.units)
        if self.line.text() != self._shown:
            self.line.setText(self._shown)
            self.line.setCursorPosition(0)

    def show_various(self) -> None:
        """Show an empty line that says so."""
        self._shown = ""
        self.line.clear()
        self.line.setPlaceholderText(VARIOUS)

    def _propose(self) -> None:
        text = self.line.text().strip()
        if self.declaration.unit:
            text = text.removesuffix(self.declaration.unit).strip()
        if text == self._shown and not self.line.property("wrong"):
            return
        self._shown = text
        empty = not text and self.declaration.optional
        self.edited.emit(None if empty else text_to_read(text, self.declaration.quantity, self.around.units))


# Units that people count turning in, whatever the unit system, in SI units: what a form shows, and what a bare number
# means there.
_TURNING = {"angle": ("°", math.pi / 180.0), "angular_velocity": ("rpm", 2.0 * math.pi / 60.0)}


def unit_in_form(quantity: str, units: str) -> str:
    """Return the unit that a form shows a quantity in: degrees, revolutions per minute, else the unit system's."""
    return _TURNING[quantity][0] if quantity in _TURNING else unit_text(quantity, units)


def text_in_form(value: Any, quantity: str, units: str) -> str:
    """Return a number of the unit system as a form shows it."""
    if value is None or quantity not in _TURNING:
        return number_text(value)
    # Twelve digits: further ones come from conversion, not from the user.
    return f"{float(value) / _turning_factor(quantity, units):.12g}"


def text_to_read(text: str, quantity: str, units: str) -> str:
    """Return what was typed in the unit system, where it is a bare number in another unit."""
    if quantity not in _TURNING:
        return text
    try:
        return repr(float(text) * _turning_factor(quantity, units))
    except ValueError:
        return text  # with a unit of its own, or wrong


def _turning_factor(quantity: str, units: str) -> float:
    return _TURNING[quantity][1] / factor_to_si(quantity, units)


def number_text(value: Any) -> str:
    """Return a number in at most fifteen digits, "50000", "0.05", "1e-06"; "" for None.

    More digits are round-off of a computation; a form takes over only a text that has been changed.
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(float(f"{value:.15g}")).removesuffix(".0")
    return str(value)
