"""What every panel keeps: it says what it is, follows the selection, fits beside the view."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from faying.project.study import write_study
from faying.testing.contracts.members import Contract
from faying.testing.plates import plates, write_plate_deck
from faying_app.look.icons import icon
from faying_app.panels import Panel, panels
from faying_app.shell.window import MainWindow
from faying_app.tasks import opening

ENTITIES: tuple[tuple[str | int, ...], ...] = (
    (), ("bodies", 0), ("bodies", 0, "interfaces", 0), ("bodies", 0, "joints", 0), ("analyses", 0), ("analyses", 1),
)  # fmt: skip
_WIDTH, _HEIGHT = 1280, 800  # pixels of the windows
_WIDEST, _HIGHEST = 480, 420  # that a panel beside the view, or below it, may ask for at least


def _opened(home: Path, patch: pytest.MonkeyPatch) -> MainWindow:
    """Return a window with a home folder of its own, in which leaving discards what was decided."""
    patch.setenv("FAYING_HOME", str(home))
    patch.setattr(QMessageBox, "exec", lambda box: QMessageBox.StandardButton.Discard)
    window = MainWindow()
    window.resize(_WIDTH, _HEIGHT)
    window.show()
    assert QTest.qWaitForWindowExposed(window)
    return window


def _wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "the window is still busy"
        QTest.qWait(20)


@pytest.mark.window
class PanelContract(Contract):
    """Tried in two real windows: an empty one, and one with the project of `faying.testing.plates`."""

    family: ClassVar[Any] = panels

    @pytest.fixture(scope="class")
    @classmethod
    def empty_window(
        cls, qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
    ) -> Iterator[MainWindow]:
        """A window with nothing in it."""
        with pytest.MonkeyPatch.context() as patch:
            window = _opened(tmp_path_factory.mktemp("empty"), patch)
            yield window
            window.close()

    @pytest.fixture(scope="class")
    @classmethod
    def window(cls, qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
        """A window with two plates, a joint between them, and three analyses that were not run."""
        folder = tmp_path_factory.mktemp("plates")
        study = folder / "plates.toml"
        write_study(plates(write_plate_deck(folder / "plates.inp")), study)
        with pytest.MonkeyPatch.context() as patch:
            window = _opened(folder, patch)
            opening.open_path(window.context, study)
            _wait_for(lambda: bool(window.context.project.bodies) and not window.runner.is_busy)
            yield window
            window.close()

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
        for in_front, entities in ((True, ENTITIES), (False, ENTITIES[:2]), (True, ENTITIES[-1:])):
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
        assert least.width() <= (_WIDTH if below else _WIDEST)
        assert least.height() <= (_HIGHEST if below else _HEIGHT)
