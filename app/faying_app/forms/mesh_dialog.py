"""A dialog with the form of how something is meshed, and what follows from its numbers."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QScrollArea, QVBoxLayout, QWidget

from faying.errors import ModelError
from faying.fem.one_material import OneMaterial
from faying.fem.unit_guess import system_title
from faying.units import UnitSystemName, with_units
from faying_app.forms.form import SpecForm
from faying_app.forms.lone_host import LONE, LoneHost

_WIDTH, _HIGHEST = 420, 680
_AROUND = 160  # height of what stands round the form, and of its advanced parameters


class MeshDialog(QDialog):
    """Asks for the numbers of a mesh; `spec` is what was decided when it was accepted.

    Args:
        spec: what is decided first, in the units of the project.
        title: of the dialog.
        advice: what it is for.
        units: of the project.
        told: what follows from the numbers, as one text.
        parent: the window.
    """

    def __init__(
        self,
        spec: OneMaterial,
        title: str,
        advice: str,
        units: UnitSystemName,
        told: Callable[[OneMaterial], str] = lambda spec: "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._told = told
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._host = LoneHost(spec, units, edited=self._edited)
        self.form = SpecForm(spec, LONE, self._host, frozenset(), self)
        self.form.setObjectName("form")
        page = QWidget(self)
        page.setObjectName("formPage")
        inside = QVBoxLayout(page)
        above = QLabel(f"{advice} The deck is in the project's units: {system_title(units)}.", page)
        above.setWordWrap(True)
        inside.addWidget(above)
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
        self._edited()
        self.resize(_WIDTH, min(_HIGHEST, page.sizeHint().height() + _AROUND))

    @property
    def spec(self) -> OneMaterial:
        """How it is meshed, as it is decided now."""
        found = self._host.spec
        assert isinstance(found, OneMaterial)
        return found

    def _edited(self) -> None:
        try:
            text = self._told(self.spec)
        except ModelError as error:
            text = with_units(str(error), self._host.units)
        self.facts.setText(text)
        self.facts.setVisible(bool(text))
