"""One row of a form: label, editor, and the sentence of a wrong value."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from faying.errors import FayingError
from faying.project import edits
from faying.project.paths import SpecPath
from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import Editor, Surroundings, editor_for
from faying_app.forms.editors.number import unit_in_form
from faying_app.forms.host import FormHost
from faying_app.forms.pick_button import PickButton, with_button
from faying_app.forms.wrong_sentence import WrongSentence
from faying_app.look.tips import tip


class Row:
    """A parameter's label and editor in the grid of a form.

    A wrong value keeps its text, is marked, and is explained by a note next to it; the project keeps its last valid
    value.
    """

    def __init__(self, declaration: Declaration, path: SpecPath, host: FormHost, parent: QWidget) -> None:
        self.declaration, self.path, self._host = declaration, path, host
        around = Surroundings(host.units, lambda choices: host.names(choices, self.path))
        self.label = QLabel(declaration.title, parent)
        self.label.setWordWrap(True)
        self.label.setContentsMargins(0, 4, 0, 0)  # on the line of the editor's text
        self.editor: Editor = editor_for(declaration)(declaration, around, parent)
        self.label.setBuddy(self.editor)
        self.error = WrongSentence(self.editor)
        for widget in (self.label, self.editor):
            widget.setToolTip(tooltip(declaration, host.units))
        self.editor.setAccessibleName(declaration.title)
        self.editor.edited.connect(self._propose)

    def add_to(self, grid: QGridLayout) -> None:
        """Add the row at the end of a grid of two columns."""
        at = grid.rowCount()
        grid.addWidget(self.label, at, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._with_picker(), at, 1)

    def _with_picker(self) -> QWidget:
        """Return the editor, with a button next to it that picks the node in the 3D view if it is one."""
        if self.declaration.choices != "node" or self._host.picker(self.path, "node") is None:
            return self.editor
        title, parent = self.declaration.title, self.editor.parentWidget()
        assert parent is not None
        return with_button(
            self.editor,
            PickButton(title, "node", lambda: self._host.picker(self.path, "node"), parent),
            parent,
        )

    @property
    def is_wrong(self) -> bool:
        """Whether the editor holds a value that the project refused."""
        return bool(self.error.text())

    def refresh(self, value: Any) -> None:
        """Show the project's value, unless a refused one waits to be mended."""
        if not self.is_wrong:
            self.editor.show_value(value)

    def move_to(self, path: SpecPath) -> None:
        """Edit the value at another path; a refused value of the former one is dropped."""
        self.path = path
        if self.is_wrong:
            self._show_error("")

    def _propose(self, value: Any) -> None:
        try:
            checked = _typed(value, self.declaration)
            label = f"Set {self.declaration.title.lower()}"
            self._host.apply(label, edits.set_value(self.path, checked))
        except FayingError as error:
            self._show_error(str(error))
        else:
            self._show_error("")
            self.editor.show_value(self._host.value(self.path))
            self.editor.note_committed()

    def _show_error(self, sentence: str) -> None:
        self.error.tell(sentence)
        self.editor.mark_wrong(bool(sentence))


def tooltip(declaration: Declaration, units: str) -> str:
    """Return the meaning, unit and bounds of a parameter as a tooltip that wraps."""
    unit = declaration.unit or unit_in_form(declaration.quantity, units)
    facts = " · ".join(w for w in (f"in {unit}" if unit else "", declaration.bounds) if w)
    return tip(declaration.meaning, facts)


def _typed(value: Any, declaration: Declaration) -> Any:
    """Return a typed text as a number if that is intended and possible; the project reports errors."""
    if declaration.quantity or not isinstance(value, (str, tuple)):
        return value
    kind = declaration.item if declaration.item in (int, float) else declaration.annotation
    if isinstance(value, tuple):
        numeric = declaration.vector or kind in (int, float)
        return tuple(_number(v, kind) for v in value) if numeric else value
    return _number(value, kind) if kind in (int, float) else value


def _number(text: str, kind: Any) -> Any:
    try:
        return int(text) if kind is int else float(text)
    except ValueError:
        return text
