"""The question above the 3D view that the first deck of a project raises: in which units is it written?"""

from typing import get_args

from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from faying.fem.model import FeModel
from faying.fem.unit_guess import as_written_in, likely_units, system_title
from faying.project import edits
from faying.project.specs import Project
from faying.units import UnitSystemName
from faying_app.context import Context
from faying_app.look.icons import icon


class UnitsQuestion(QFrame):
    """A bar that asks once per project for its units; it blocks nothing, and disappears when answered or obsolete.

    The units guessed from materials and size are preselected. The answer is the project's unit system, one step of its
    history; later it is changed in the form of the project.
    """

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self._context, self._deck = context, ""
        self._model: FeModel | None = None
        asked, self._meaning = QLabel("Units of the deck:", self), QLabel(self)
        self._meaning.setWordWrap(True)
        self.systems = QComboBox(self)
        self.systems.setAccessibleName("Units of the deck")
        self.systems.currentIndexChanged.connect(lambda _index: self._explain())
        self.take = QPushButton("Use these units", self)
        self.take.setToolTip(
            "Let the project count in these units; numbers are read in them and shown in them."
        )
        self.take.clicked.connect(self._answer)
        self.leave = QToolButton(self)
        self.leave.setAutoRaise(True)
        self.leave.setToolTip("Leave the units as they are")
        self.leave.setAccessibleName("Leave the units as they are")
        self.leave.clicked.connect(self._close)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(asked)
        row.addWidget(self.systems, 1)
        row.addWidget(self.take)
        row.addWidget(self.leave)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 5, 6, 5)
        column.setSpacing(3)
        column.addLayout(row)
        column.addWidget(self._meaning)
        context.first_deck.connect(self.ask)
        context.bridge.changed.connect(self._project_changed)
        self.apply_theme()
        self.hide()

    def apply_theme(self) -> None:
        """Draw the button in the theme's colours."""
        self.leave.setIcon(icon("cancel"))

    def ask(self, deck: str, model: FeModel) -> None:
        """Ask for the units of a deck that has just been imported."""
        self._model, self._deck = model, deck
        likely = likely_units(model)
        self.systems.blockSignals(True)
        self.systems.clear()
        for units in get_args(UnitSystemName):
            guessed = "  –  likely" if units in likely else ""
            self.systems.addItem(system_title(units) + guessed, units)
        own = self._context.project.units
        guess = own if own in likely or not likely else likely[0]
        self.systems.setCurrentIndex(self.systems.findData(guess))
        self.systems.blockSignals(False)
        self._explain()
        self.show()

    def _explain(self) -> None:
        if self._model is not None:
            self._meaning.setText(
                f"{self._deck} is then {as_written_in(self._model, self.systems.currentData())}."
            )

    def _answer(self) -> None:
        units = self.systems.currentData()
        self._close()
        if units != self._context.project.units:
            self._context.apply(f"Count in {units}", edits.set_value(("units",), units))

    def _close(self) -> None:
        self._model = None
        self.hide()

    def _project_changed(self, before: Project, after: Project) -> None:
        another = before is after  # a project that was opened in place of this one
        if another or len(after.bodies) != 1 or before.units != after.units:
            self._close()
