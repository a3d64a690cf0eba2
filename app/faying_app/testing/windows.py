"""Real windows that contracts of the window's families are tried in."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from faying.project.study import write_study
from faying.testing.contracts.members import Contract
from faying.testing.plates import plates, write_plate_deck
from faying_app.shell.window import MainWindow
from faying_app.tasks import opening

WIDTH, HEIGHT = 1280, 800  # pixels of the windows


def _opened(home: Path, patch: pytest.MonkeyPatch) -> MainWindow:
    """Return a window with a home folder of its own, in which leaving discards what was decided."""
    patch.setenv("FAYING_HOME", str(home))
    patch.setattr(QMessageBox, "exec", lambda box: QMessageBox.StandardButton.Discard)
    window = MainWindow()
    window.resize(WIDTH, HEIGHT)
    window.show()
    assert QTest.qWaitForWindowExposed(window)
    return window


def _wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "the window is still busy"
        QTest.qWait(20)


class WindowContract(Contract):
    """Two real windows: an empty one, and one with the project of `faying.testing.plates`."""

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
