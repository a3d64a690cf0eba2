"""A dialog with the form of a mesh maker, and what follows from its numbers."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QScrollArea, QVBoxLayout, QWidget

from faying.errors import ModelError
from faying.fem.mesh_makers import UNITS, MeshMaker, mesh_makers
from faying_app.forms.form import SpecForm
from faying_app.forms.lone_host import LONE, LoneHost

_SIZE = (420, 680)


class MakerDialog(QDialog):
    """Asks for the numbers of a part; `maker` is what was decided when it was accepted.

    Args:
        kind: of the maker.
        parent: the window.
    """

    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        maker = mesh_makers[kind]()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Make a mesh: {maker.title}")
        self._host = LoneHost(maker, UNITS, edited=self._edited)
        self.form = SpecForm(maker, LONE, self._host, frozenset(), self)
        self.form.setObjectName("form")
        page = QWidget(self)
        page.setObjectName("formPage")
        inside = QVBoxLayout(page)
        advice = QLabel(f"{maker.advice} The deck is in mm, t, s and N.", page)
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
            text = "   ".join(f"{name} {value}" for name, value in self.maker.facts())
        except ModelError as error:
            text = str(error)
        self.facts.setText(text)
