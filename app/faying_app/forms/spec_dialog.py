"""A dialog with the form of one spec that is not in the project, and what follows from its values."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from faying.errors import FayingError
from faying.params import Spec
from faying.units import UnitSystemName, with_units
from faying_app.forms.form import SpecForm
from faying_app.forms.lone_host import LONE, LoneHost

_WIDTH = 420


class SpecDialog(QDialog):
    """Asks for the values of a spec; `spec` is what was decided when it was accepted.

    Args:
        spec: what is decided first, in the units of the project.
        title: of the dialog.
        verb: on the button that accepts.
        units: of the project.
        told: what follows from the values; its errors are told, and leave the button grey.
        parent: the window.
    """

    def __init__(
        self,
        spec: Spec,
        title: str,
        verb: str,
        units: UnitSystemName,
        told: Callable[[Spec], str],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._told, self._units = told, units
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._host = LoneHost(spec, units, edited=self._edited)
        self.form = SpecForm(spec, LONE, self._host, frozenset(), self)
        self.facts = QLabel(self)
        self.facts.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.take = self.buttons.addButton(verb, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        for widget in (self.form, self.facts, self.buttons):
            column.addWidget(widget)
        self._edited()
        self.resize(_WIDTH, self.sizeHint().height())

    @property
    def spec(self) -> Spec:
        """The values as they are decided now."""
        return self._host.spec

    def _edited(self) -> None:
        try:
            text, fine = self._told(self.spec), True
        except FayingError as error:
            text, fine = with_units(str(error), self._units), False
        self.facts.setText(text)
        self.take.setEnabled(fine)
