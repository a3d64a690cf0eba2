"""A line for one condition, shown in the plot's unit; any unit can be typed."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from faying.errors import FayingError, ModelError
from faying.joints.law_plots import PlotUnits, unit_value
from faying.units import read_quantity
from faying_app.law_editor.benches import Condition
from faying_app.look.tips import tip

_WIDTH = 104


class QuantityLine(QWidget):
    """A caption and a line below it. `changed` tells of a new value, `refused` of a sentence why there is none."""

    changed = Signal()
    refused = Signal(str)

    def __init__(self, condition: Condition, units: PlotUnits, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.condition, self._units = condition, units
        caption = QLabel(condition.title, self)
        caption.setProperty("role", "muted")
        self.line = QLineEdit(self)
        self.line.setMinimumWidth(_WIDTH)
        self.line.setMaximumWidth(_WIDTH + 16)
        self.line.setAccessibleName(condition.title)
        for widget in (caption, self.line):
            widget.setToolTip(tip(condition.meaning))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(caption)
        column.addWidget(self.line)
        self.line.editingFinished.connect(self._read)
        self._shown = ""
        self.show_in(units)

    def show_in(self, units: PlotUnits) -> None:
        """Show the value in these units."""
        self._units = units
        condition, unit = self.condition, units.of(self.condition.quantity)
        scale = unit_value(unit, condition.quantity, units.system) if unit else 1.0
        self._shown = f"{condition.value / scale:.6g} {unit}".strip()
        self.line.setText(self._shown)
        self.line.setCursorPosition(0)
        self._mark(False)

    def _read(self) -> None:
        text = self.line.text().strip()
        if text == self._shown:
            return
        try:
            self.condition.value = self._value(text)
        except FayingError as error:
            self._mark(True)
            self.refused.emit(str(error))
            return
        self.show_in(self._units)
        self.changed.emit()

    def _value(self, text: str) -> float:
        condition, unit = self.condition, self._units.of(self.condition.quantity)
        try:
            typed = f"{float(text)!r} {unit}".strip()  # a bare number is in the unit that was shown
        except ValueError:
            typed = text
        value = read_quantity(typed, condition.quantity, self._units.system)
        if value < 0.0 or (value == 0.0 and not condition.may_be_zero):
            raise ModelError(f"{condition.title}: {text} is too small.", "Give a positive number.")
        if condition.whole and (value != round(value) or value > 100):
            raise ModelError(f"{condition.title}: {text} is no whole number up to 100.")
        return value

    def _mark(self, wrong: bool) -> None:
        if bool(self.line.property("wrong")) != wrong:
            self.line.setProperty("wrong", wrong)
            self.line.style().unpolish(self.line)
            self.line.style().polish(self.line)
