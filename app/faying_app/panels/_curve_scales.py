"""How the axes of curves count: a button with a menu of switches and numbers."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QFormLayout,
    QMenu,
    QPushButton,
    QSpinBox,
    QWidget,
    QWidgetAction,
)

from faying.results.curves import CurveScales


class ScalesButton(QPushButton):
    """Opens the switches; `changed` tells that one was used."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Axes", parent)
        self.setToolTip("Logarithmic axes, decibel, end of the frequencies, names of peaks")
        menu, page = QMenu(self), QWidget(self)
        form = QFormLayout(page)
        self.log_x, self.log_y = QCheckBox("Logarithmic along", page), QCheckBox("Logarithmic upwards", page)
        self.decibel = QCheckBox("Levels in decibel", page)
        self.highest = QDoubleSpinBox(page)
        self.highest.setRange(0.0, 1e9)
        self.highest.setSpecialValueText("all")
        self.highest.setToolTip("End of the axis of spectra, orders and responses, in its unit")
        self.peaks = QSpinBox(page)
        self.peaks.setRange(0, 20)
        self.peaks.setSpecialValueText("none")
        for box in (self.log_x, self.log_y, self.decibel):
            form.addRow(box)
            box.toggled.connect(self.changed)
        form.addRow("Frequencies up to", self.highest)
        form.addRow("Names of peaks", self.peaks)
        for number in (self.highest, self.peaks):
            number.setKeyboardTracking(False)
            number.valueChanged.connect(self.changed)
        action = QWidgetAction(menu)
        action.setDefaultWidget(page)
        menu.addAction(action)
        self.setMenu(menu)

    def reset(self) -> None:
        """Go back to plain axes, without saying so."""
        blocked = [
            QSignalBlocker(box) for box in (self.log_x, self.log_y, self.decibel, self.highest, self.peaks)
        ]
        for box in (self.log_x, self.log_y, self.decibel):
            box.setChecked(False)
        self.highest.setValue(0.0)
        self.peaks.setValue(0)
        del blocked

    @property
    def scales(self) -> CurveScales:
        """What was chosen."""
        return CurveScales(
            self.log_x.isChecked(), self.log_y.isChecked(), self.decibel.isChecked(), self.highest.value(),
            self.peaks.value(),
        )  # fmt: skip
