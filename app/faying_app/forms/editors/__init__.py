"""Editors: widgets for one value. A member is one file; a form takes the first that suits a parameter."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from faying.registry import Registry
from faying_app.forms.declaration import Declaration

editors: Registry[type["Editor"]] = Registry("editor", __name__)

VARIOUS = "various"  # shown in place of values that differ


@dataclass(frozen=True)
class Surroundings:
    """What an editor may know of the project around its value.

    Attributes:
        units: the project's unit system.
        names: existing names of a kind ("interface", "deck_surface", …) that a parameter may refer to.
    """

    units: str
    names: Callable[[str], list[str]]


class Editor(QWidget):
    """Edits one value.

    `edited(value)` proposes a value: of the right type, or the text that was typed where the reading of it
    may fail (numbers with units). What is typed is never thrown away: only `show_value` changes it.

    Attributes:
        rank: editors are tried in ascending rank.
        shows_various: whether it can show that several values are edited at once that differ (`show_various`).
    """

    rank: ClassVar[int] = 50
    shows_various: ClassVar[bool] = False
    edited = Signal(object)

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.declaration, self.around = declaration, around

    @classmethod
    @abstractmethod
    def suits(cls, declaration: Declaration) -> bool:
        """Return whether this editor can edit the parameter."""

    @abstractmethod
    def show_value(self, value: Any) -> None:
        """Show a value of the project."""

    def show_various(self) -> None:
        """Show that the values that are edited together differ; nothing is proposed until the user chooses one.

        Raises:
            NotImplementedError: when `shows_various` is not set.
        """
        raise NotImplementedError

    def note_committed(self) -> None:
        """Take note that what was typed is in the project: undoing is the project's business again."""
        for line in self.findChildren(QLineEdit):
            line.setModified(False)

    def mark_wrong(self, wrong: bool) -> None:
        """Show or take away the mark of a wrong value."""
        for widget in (self, *self.findChildren(QWidget)):
            if widget.property("wrong") != wrong:
                widget.setProperty("wrong", wrong)
                widget.style().unpolish(widget)
                widget.style().polish(widget)


class QuietWheel(QObject):
    """An event filter: the wheel over a list or a number scrolls the form and never changes the value by accident."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Send wheel events on to the form."""
        if isinstance(event, QWheelEvent):
            event.ignore()
            return True
        return False


def editor_for(declaration: Declaration) -> type[Editor]:
    """Return the editor of lowest rank that suits a parameter."""
    ranked = sorted((kind for _, kind in editors.items()), key=lambda kind: kind.rank)
    return next(kind for kind in ranked if kind.suits(declaration))
