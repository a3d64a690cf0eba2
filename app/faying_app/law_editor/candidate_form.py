"""The form of the selected law."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from faying_app.forms.form import SpecForm, shape
from faying_app.law_editor.candidates import CandidateHost


class CandidateForm(QScrollArea):
    """Kind and parameters of a law, in the form of the joint that it could stand in."""

    def __init__(self, host: CandidateHost, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._host, self._shape = host, None  # type: tuple[CandidateHost, Any]
        self.form: SpecForm | None = None
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_law(self, law: Any, number: int) -> None:
        """Show a candidate and its number in the list; the form is kept while its shape stays the same."""
        self._host.put(law)
        new = (number, shape(law, self._host, self._host.path))
        if self.form is not None and new == self._shape:
            self.form.refresh()
            return
        self._shape = new
        path, slot = self._host.path[:-1], str(self._host.path[-1])
        joint = self._host.value(path)
        self.form = SpecForm(joint, path, self._host, frozenset(type(joint).model_fields) - {slot})
        self.form.setObjectName("form")
        page = QWidget()
        page.setObjectName("formPage")
        column = QVBoxLayout(page)
        column.setContentsMargins(8, 6, 8, 6)
        column.addWidget(self.form)
        column.addStretch(1)
        self.setWidget(page)
