"""The right side of the law editor: the plot, its conditions and units, and the place where laws are matched."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from faying.joints.law_plots import PlotUnits
from faying.plot import Plot
from faying_app.forms.editors import QuietWheel
from faying_app.law_editor.benches import Bench
from faying_app.law_editor.quantity_line import QuantityLine
from faying_app.plotting.view import PlotView

_LENGTHS = ("nm", "µm", "mm", "m")
_STRESSES = ("Pa", "kPa", "MPa", "GPa")


class BenchView(QWidget):
    """Shows plots and edits a bench.

    `changed` tells that the plot is to be redrawn, `match_wanted(all)` that laws are to be matched,
    `value_wanted` that the measured value of the selected law is to become the aim.
    """

    changed = Signal()
    match_wanted = Signal(bool)
    value_wanted = Signal()
    refused = Signal(str)

    def __init__(self, bench: Bench, units: PlotUnits, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench, self.units = bench, units
        self.plot = PlotView(self)
        self.plot.mark_dragged.connect(self._drag)
        self.plot.mark_dropped.connect(self._drop)
        self.lines = [QuantityLine(c, units, self) for c in (*bench.conditions, *bench.aims)]
        for line in self.lines:
            line.changed.connect(self.changed)
            line.refused.connect(self.refused)
        self.length_box = self._unit_box("Lengths in", _LENGTHS, units.length)
        self.stress_box = self._unit_box("Stresses in", _STRESSES, units.stress)
        self.parameter_box = QComboBox(self)
        self.parameter_box.setAccessibleName("Parameter")
        self.parameter_box.setMinimumWidth(155)
        self.parameter_box.setToolTip(
            "The parameter of the chosen law that is scaled; other laws scale their first."
        )
        self.parameter_box.installEventFilter(QuietWheel(self))
        self.take_button = self._button("Take from chosen", "Let the chosen law's own number be the aim.")
        self.match_button = self._button(
            "Match chosen", "Scale the chosen law's parameter so that it gets there."
        )
        self.match_all_button = self._button("Match all", "Scale all ticked laws so that they meet.")
        self.take_button.clicked.connect(self.value_wanted)
        self.match_button.clicked.connect(lambda: self.match_wanted.emit(False))
        self.match_all_button.clicked.connect(lambda: self.match_wanted.emit(True))
        _share_height(
            [*(line.line for line in self.lines), self.length_box, self.stress_box, self.parameter_box]
        )
        n = len(bench.conditions)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.plot, 1)
        unit_boxes = map(_captioned, (self.length_box, self.stress_box))
        column.addLayout(_row("Curves", [*self.lines[:n], *unit_boxes]))
        matching = [
            self.take_button,
            _captioned(self.parameter_box),
            self.match_button,
            self.match_all_button,
        ]
        column.addLayout(_row("Match", [*self.lines[n:], *matching]))

    def show_plot(self, plot: Plot) -> None:
        """Draw a plot."""
        self.plot.show_plot(plot)

    def show_values(self) -> None:
        """Show what the bench says now, in the present units."""
        for line, condition in zip(self.lines, (*self.bench.conditions, *self.bench.aims), strict=True):
            line.condition = condition
            line.show_in(self.units)

    def offer_parameters(self, titles: list[tuple[str, str]]) -> None:
        """Offer (name, title) of the parameters that can be scaled; the first is chosen."""
        self.parameter_box.clear()
        for name, title in titles:
            self.parameter_box.addItem(title, name)
        for widget in (self.parameter_box, self.match_button):
            widget.setEnabled(bool(titles))

    def _unit_box(self, title: str, units: tuple[str, ...], chosen: str) -> QComboBox:
        box = QComboBox(self)
        box.addItems(units)
        box.setCurrentText(chosen)
        box.setAccessibleName(title)
        box.installEventFilter(QuietWheel(self))
        box.activated.connect(self._choose_units)
        return box

    def _choose_units(self, _index: int) -> None:
        self.units = PlotUnits(
            self.units.system, self.length_box.currentText(), self.stress_box.currentText()
        )
        self.show_values()
        self.changed.emit()

    def _button(self, text: str, meaning: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        button.setToolTip(meaning)
        return button

    def _drag(self, x: float, y: float) -> None:
        if self.bench.move_mark(x, y, self.units):
            self.show_values()

    def _drop(self) -> None:
        self.changed.emit()


def _row(title: str, widgets: list[QWidget]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    heading = QLabel(title)
    heading.setProperty("role", "title")
    heading.setMinimumWidth(48)
    heading.setContentsMargins(0, 0, 0, 6)  # on the line of the values
    for widget in (heading, *widgets):
        row.addWidget(widget)
        row.setAlignment(widget, Qt.AlignmentFlag.AlignBottom)
    row.addStretch(1)
    return row


def _share_height(widgets: list[QWidget]) -> None:
    """Make widgets as high as the highest of them, so that the captions above them are on one line."""
    for widget in widgets:
        widget.ensurePolished()
    highest = max(widget.sizeHint().height() for widget in widgets)
    for widget in widgets:
        widget.setMinimumHeight(highest)


def _captioned(box: QComboBox) -> QWidget:
    holder = QWidget(box.parentWidget())
    caption = QLabel(box.accessibleName(), holder)
    caption.setProperty("role", "muted")
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    column.addWidget(caption)
    column.addWidget(box)
    return holder
