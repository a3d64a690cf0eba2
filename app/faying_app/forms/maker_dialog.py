"""A dialog with the form of a mesh maker, and what follows from its numbers."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QScrollArea, QVBoxLayout, QWidget

from faying.errors import ModelError
from faying.fem.mesh_makers import UNITS, MeshMaker, mesh_makers
from faying.params import member_of, parameter
from faying.project.paths import SpecPath, value_at
from faying.project.recorded import Edit
from faying.project.specs import Project
from faying_app.forms.form import SpecForm
from faying_app.forms.host import Suggestion

_SIZE = (420, 680)
_PATH: SpecPath = ("maker",)


class _Around(Project):
    """What a maker stands in while it is edited: forms edit projects."""

    maker: member_of(mesh_makers) = parameter(title="Part", meaning="What is made.")  # type: ignore[valid-type]


class _MakerHost:
    """Takes the edits of the form; nothing of the window's project is touched."""

    units = UNITS

    def __init__(self, maker: MeshMaker, edited: Callable[[], None]) -> None:
        self.project, self._edited = _Around(name="part", units=UNITS, maker=maker), edited

    def value(self, path: SpecPath) -> Any:
        """Return what is at a path."""
        return value_at(self.project, path)

    def names(self, choices: str, path: SpecPath) -> list[str]:
        """Return none: makers refer to nothing."""
        return []

    def opener(self, path: SpecPath) -> Callable[[], None] | None:
        """Return None: there is no larger editor."""
        return None

    def suggestion(self, path: SpecPath) -> Suggestion | None:
        """Return None: nothing is suggested."""
        return None

    def duration(self, path: SpecPath) -> float:
        """Return 1: makers have no load history."""
        return 1.0

    def apply(self, label: str, edit: Edit) -> None:
        """Edit the maker; raises ModelError when it is not allowed."""
        changed = edit(self.project)
        assert isinstance(changed, _Around)
        self.project = changed
        self._edited()


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
        self._host = _MakerHost(maker, self._edited)
        self.form = SpecForm(maker, _PATH, self._host, frozenset(), self)
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
        found = self._host.project.maker
        assert isinstance(found, MeshMaker)
        return found

    def _edited(self) -> None:
        try:
            text = "   ".join(f"{name} {value}" for name, value in self.maker.facts())
        except ModelError as error:
            text = str(error)
        self.facts.setText(text)
