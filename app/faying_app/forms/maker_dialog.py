"""A dialog with the form of a mesh maker, and what follows from its numbers."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QScrollArea, QVBoxLayout, QWidget

from faying.errors import ModelError
from faying.fem.mesh_makers import MeshMaker, facts_of, maker_of
from faying.fem.unit_guess import system_title
from faying.units import UnitSystemName, with_units
from faying_app.forms.form import SpecForm
from faying_app.forms.lone_host import LONE, LoneHost

_SIZE = (420, 680)


class MakerDialog(QDialog):
    """Asks for the numbers of a part; `maker` is what was decided when it was accepted.

    Args:
        kind: of the maker.
        units: of the project, in which the part is made.
        parent: the window.
    """

    def __init__(self, kind: str, units: UnitSystemName, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        maker = maker_of(kind, {}, units)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Make a mesh: {maker.title}")
        self._host = LoneHost(maker, units, edited=self._edited)
        self.form = SpecForm(maker, LONE, self._host, frozenset(), self)
        self.form.setObjectName("form")
        page = QWidget(self)
        page.setObjectName("formPage")
        inside = QVBoxLayout(page)
        advice = QLabel(f"{maker.advice} The deck is in the project's units: {system_title(units)}.", page)
        advice.setWordWrap(True)
        inside.addWidget(advice)
        inside.addWidget(self.form)
        inside.addStretch(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(page)
        self.facts = QLabel(self)
        self.facts.setWordWrap(True)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons = QDialogButtonBox(self)
        self.make = self.buttons.addButton("Make and import…", QDialogButtonBox.ButtonRole.AcceptRole)
        self.make.setToolTip("Write the deck to a file and add it to the project as a body")
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        for widget, stretch in ((area, 1), (self.facts, 0), (self.buttons, 0)):
            column.addWidget(widget, stretch)
        self.resize(*_SIZE)
        self._edited()

    @property
    def maker(self) -> MeshMaker:
        """The part as it is decided now."""
        found = self._host.spec
        assert isinstance(found, MeshMaker)
        return found

    def _edited(self) -> None:
        try:
            text = "   ".join(f"{name} {value}" for name, value in facts_of(self.maker, self._host.units))
        except ModelError as error:
            text = with_units(str(error), self._host.units)
        self.facts.setText(text)
