"""Above the curves: the plots that are saved with the project, and what two cursors read."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QWidget

from faying_app.forms.editors import QuietWheel
from faying_app.look.one_line import OneLine
from faying_app.look.tips import tip


class PlotStrip(QWidget):
    """A chooser of saved plots with a line for a name, buttons to save and delete, and the cursors' switch and text.

    `chosen(name)`, `saved(name)` and `deleted(name)` tell what is wanted of a plot, `measured(on)` whether there are
    to be cursors.
    """

    chosen = Signal(str)
    saved = Signal(str)
    deleted = Signal(str)
    measured = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names = QComboBox(self)
        self.names.setEditable(True)
        self.names.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.names.setAccessibleName("Saved plots")
        self.names.setToolTip(
            "Plots that are saved with the project; write a name to save the one that is shown"
        )
        self.line = QLineEdit(self)
        self.line.setPlaceholderText("Name of this plot")
        self.names.setLineEdit(self.line)
        self.names.setMinimumContentsLength(16)
        self.names.installEventFilter(QuietWheel(self.names))
        self.names.activated.connect(lambda _index: self.chosen.emit(self.names.currentText()))
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 2, 4, 0)
        row.setSpacing(4)
        row.addWidget(self.names)
        self.save = self._button(
            "Save plot", "Keep curves, axes and colours under this name; the project keeps it"
        )
        self.save.clicked.connect(lambda: self.saved.emit(self.names.currentText().strip()))
        self.delete = self._button("Delete", "Forget the plot of this name")
        self.delete.clicked.connect(lambda: self.deleted.emit(self.names.currentText().strip()))
        self.cursors = self._button(
            "Cursors", "Read two places of the curves and their difference; drag both lines"
        )
        self.cursors.setCheckable(True)
        self.cursors.toggled.connect(self.measured)
        for button in (self.save, self.delete, self.cursors):
            row.addWidget(button)
        self.reading = OneLine(self)
        self.reading.setAccessibleName("Reading of the cursors")
        row.addWidget(self.reading, 1)

    def offer(self, names: list[str]) -> None:
        """List the saved plots; what is being written stays."""
        written = self.names.currentText()
        self.names.clear()
        self.names.addItems(names)
        self.names.setCurrentIndex(self.names.findText(written))
        self.names.setEditText(written)
        self.delete.setEnabled(bool(names))

    def _button(self, title: str, meaning: str) -> QPushButton:
        button = QPushButton(title, self)
        button.setToolTip(tip(meaning))
        return button
