"""What every action keeps: it is in a menu, says what it does, and why it is not possible now."""

from typing import Any, ClassVar

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from faying_app.actions import MENUS, actions
from faying_app.look.icons import icon
from faying_app.shell.window import MainWindow
from faying_app.testing.windows import WindowContract


def _keys(kind: str) -> set[str]:
    """Return the shortcuts of an action in Qt's words."""
    given = [key for key in actions[kind].shortcut.split(";") if key.strip()]
    found = {QKeySequence(key.strip()).toString() for key in given}
    assert "" not in found and len(found) == len(given)
    return found


@pytest.mark.window
class ActionContract(WindowContract):
    """Looked at in an empty window and in one with a project; nothing is done."""

    family: ClassVar[Any] = actions

    def test_it_says_what_it_does(self, kind: str, qapp: QApplication) -> None:
        """A menu that there is, a sentence, an icon that there is, and shortcuts that no other action has."""
        action = self.family[kind]
        assert action.menu.split("/")[0] in MENUS
        assert action.title.strip() and action.meaning.endswith(".")
        assert not action.icon or not icon(action.icon).isNull()
        own = _keys(kind)
        assert not own or not any(own & _keys(other) for other in self.family if other != kind)

    def test_what_is_impossible_says_why(
        self, kind: str, empty_window: MainWindow, window: MainWindow
    ) -> None:
        for one in (empty_window, window):
            action, made = one.menus.actions[kind], one.menus.qt_actions[kind]
            why = action.why_disabled(one.context)
            assert made.isEnabled() == (not why)
            assert not why or (why.endswith(".") and why in made.toolTip().replace("\n", " "))
            assert action.text(one.context).strip()
            assert all(choice.title for choice in action.choices(one.context) or ())
