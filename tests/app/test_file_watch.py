"""The window and its project file when another program writes to it: results appear, decisions are not overwritten."""

import subprocess
import sys

import pytest
from PySide6.QtWidgets import QMessageBox

from faying.project.file import open_project
from faying.project.stage import target_of
from faying.project.stages import PIPELINE
from faying.project.workspace import Workspace
from faying_app.tasks import saving
from support.windows import plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window


@pytest.fixture
def file(qtbot, window, tmp_path):
    """Return the project file that the window shows: two plates with an analysis that was not run."""
    plates_in(qtbot, window, tmp_path, analysis=True)
    path = tmp_path / "plates.faying"
    assert saving.save_to(window.context, path)
    settle(qtbot)
    window.file_watch.look()
    assert "another program" not in window.statusBar().currentMessage()  # it was the window itself
    return path


def _decide_elsewhere(file):
    other = Workspace.new_session()
    project, view = other.open(file)
    other.save(project.with_(note="decided elsewhere"), view, file, PIPELINE)
    other.close()


def _answer(monkeypatch, button):
    """Let the next question be answered by a click on one of its buttons; return where its text will be."""
    told = []

    def click(box):
        told.append(box.text())
        next(b for b in box.buttons() if b.text().replace("&", "") == button).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", click)
    return told


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_results_of_a_run_on_the_command_line_appear(qtbot, window, file):
    analysis = target_of(window.context.project.analyses[0])
    assert window.context.computed.state(analysis).kind == "missing"
    run = subprocess.run(
        [sys.executable, "-m", "faying", "run", str(file)], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
    window.file_watch.look()
    assert "its results are shown here too" in window.statusBar().currentMessage()
    settle(qtbot)
    assert window.context.computed.state(analysis).kind == "ready"
    assert window.context.computed.results(analysis.item).n_frames == 1  # one load case
    assert not window.context.document.is_modified


def test_saving_over_decisions_of_others_asks(qtbot, window, file, monkeypatch):
    _decide_elsewhere(file)
    window.file_watch.look()
    assert "holds other decisions" in window.statusBar().currentMessage()
    window.context.apply("Note", lambda project: project.with_(note="mine"))
    told = _answer(monkeypatch, "Cancel")
    trigger(qtbot, window, "save_project")
    assert told == ["plates.faying holds other decisions than when you opened it."]
    assert open_project(file).project.note == "decided elsewhere"
    assert window.context.document.is_modified
    _answer(monkeypatch, "Replace")
    trigger(qtbot, window, "save_project")
    assert open_project(file).project.note == "mine"
    assert not window.context.document.is_modified
    told = _answer(monkeypatch, "Replace")
    trigger(qtbot, window, "save_project")
    assert told == []  # the file is the window's own again
    wait_idle(qtbot, window)
