"""What every panel keeps: it says what it is, follows the selection, fits beside the view."""

from typing import Any, ClassVar

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from faying_app.look.icons import icon
from faying_app.panels import Panel, panels
from faying_app.shell.window import MainWindow
from faying_app.testing.windows import HEIGHT, WIDTH, WindowContract

# Nothing, and one entity of each group of the tree; the window shows each one anew, which takes a tenth of a second.
ENTITIES: tuple[tuple[str | int, ...], ...] = (
    (),
    ("bodies", 0),
    ("bodies", 0, "joints", 0),
    ("analyses", 0),
)
_WIDEST, _HIGHEST = 480, 420  # that a panel beside the view, or below it, may ask for at least


@pytest.mark.window
class PanelContract(WindowContract):
    """Tried in two real windows: an empty one, and one with the project of `faying.testing.plates`."""

    family: ClassVar[Any] = panels

    @staticmethod
    def shown(window: MainWindow, kind: str) -> Panel:
        """Return a panel of a window, in front of the others."""
        window.show_panel(kind)
        QTest.qWait(30)
        panel: Panel = window.docks.panels[kind]
        assert panel.isVisible()
        return panel

    def test_it_says_what_it_is(self, kind: str, qapp: QApplication) -> None:
        """A title that no other panel has, a place, and an icon that is there."""
        chosen = self.family[kind]
        others = [other.title for name, other in self.family.items() if name != kind]
        assert chosen.title.strip() and chosen.title not in others
        assert chosen.area in ("left", "right", "bottom")
        assert not chosen.icon or not icon(chosen.icon).isNull()

    def test_an_empty_window_shows_it(self, kind: str, empty_window: MainWindow) -> None:
        panel = self.shown(empty_window, kind)
        assert not panel.grab().isNull()
        panel.set_in_front(False)
        panel.set_in_front(True)

    def test_it_follows_what_is_selected(self, kind: str, window: MainWindow) -> None:
        """In front and behind; decisions stay as they are when somebody only looks."""
        panel, before = self.shown(window, kind), window.context.project
        for in_front, entities in ((True, ENTITIES), (False, ENTITIES[1:2]), (True, ENTITIES[-1:])):
            panel.set_in_front(in_front)
            for entity in entities:
                window.context.selection.select(entity)
                QTest.qWait(5)
        panel.apply_theme()
        assert not panel.grab().isNull()
        assert window.context.project == before
        assert window.context.document.position == 0

    def test_it_fits_beside_the_view(self, kind: str, window: MainWindow) -> None:
        least = self.shown(window, kind).minimumSizeHint()
        below = self.family[kind].area == "bottom"
        assert least.width() <= (WIDTH if below else _WIDEST)
        assert least.height() <= (_HIGHEST if below else HEIGHT)
