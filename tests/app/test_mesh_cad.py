"""A CAD file in the real window: opened, meshed beside it with progress and cancel, and imported."""

import subprocess
import sys
from importlib.util import find_spec

import pytest
from PySide6.QtWidgets import QFileDialog, QProgressDialog

from faying_app.forms.mesh_dialog import MeshDialog
from support.windows import settle, trigger, wait_idle

needs_gmsh = pytest.mark.skipif(
    find_spec("gmsh") is None, reason="Gmsh is not installed (pip install faying[cad])"
)
pytestmark = pytest.mark.window

_BLOCKS = """
import gmsh
gmsh.initialize(["gmsh"], readConfigFiles=False)
gmsh.option.setNumber("General.Terminal", 0)
gmsh.model.occ.addBox(0, 0, 0, 20, 20, 10)
gmsh.model.occ.addBox(5, 5, 10, 10, 10, 10)
gmsh.model.occ.synchronize()
gmsh.write({!r})
"""


@pytest.fixture
def blocks(tmp_path):
    path = tmp_path / "blocks.step"
    subprocess.run([sys.executable, "-c", _BLOCKS.format(str(path))], check=True, stdout=subprocess.DEVNULL)
    return path


def dialog_for(qtbot, window, path):
    window.open_path(path)
    (dialog,) = window.findChildren(MeshDialog)
    settle(qtbot)
    return dialog


def decide(dialog, name, text):
    row = next(row for row in dialog.form.all_rows() if row.path[-1] == name)
    row.editor.line.setText(text)
    row.editor.line.editingFinished.emit()
    return row


@needs_gmsh
def test_a_cad_file_is_meshed_and_imported(qtbot, window, blocks, tmp_path, monkeypatch):
    dialog = dialog_for(qtbot, window, blocks)
    assert decide(dialog, "refinement", "0.5").is_wrong
    decide(dialog, "size", "5 mm")
    to = tmp_path / "blocks.inp"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(to), ""))
    dialog.make.click()
    (box,) = window.findChildren(QProgressDialog)
    seen = []
    box.setLabelText = seen.append
    qtbot.waitUntil(lambda: bool(window.context.project.bodies), timeout=60000)
    wait_idle(qtbot, window)
    (body,) = window.context.project.bodies
    model = window.context.computed.model(body.name)
    assert set(model.element_sets) >= {"BODY_1", "BODY_2"} and "BODY_2_ON_BODY_1" in model.surfaces
    assert any("meshing" in text for text in seen), seen
    assert {block.element for block in model.blocks} == {"tet10"}
    settle(qtbot)


@needs_gmsh
def test_a_mesh_that_takes_too_long_is_cancelled(qtbot, window, blocks, tmp_path, monkeypatch):
    dialog = dialog_for(qtbot, window, blocks)
    decide(dialog, "size", "0.1 mm")
    to = tmp_path / "blocks.inp"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(to), ""))
    said = []
    window.context.said.connect(said.append)
    dialog.make.click()
    (box,) = window.findChildren(QProgressDialog)
    qtbot.waitUntil(lambda: box.value() > 0, timeout=30000)
    box.canceled.emit()
    qtbot.waitUntil(lambda: any("cancelled" in text for text in said), timeout=20000)
    assert not window.context.project.bodies and not to.exists()
    settle(qtbot)


@needs_gmsh
def test_what_cannot_be_meshed_is_told(qtbot, window, tmp_path, monkeypatch):
    wrong = tmp_path / "wrong.step"
    wrong.write_text("no STEP file")
    dialog = dialog_for(qtbot, window, wrong)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "w.inp"), ""))
    told = []
    window.context.failed.connect(lambda error, details: told.append(str(error)))
    monkeypatch.setattr("PySide6.QtWidgets.QMessageBox.exec", lambda *args: 0)
    dialog.make.click()
    qtbot.waitUntil(lambda: bool(told), timeout=20000)
    assert "wrong.step: Gmsh" in told[0] and not window.context.project.bodies
    settle(qtbot)


def test_without_gmsh_it_is_said_what_lacks(qtbot, window, tmp_path, monkeypatch):
    monkeypatch.setattr("faying_app.shell.cad_meshing.is_installed", lambda: False)
    path = tmp_path / "part.igs"
    path.write_text("")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(path), ""))
    told = []
    window.context.failed.connect(lambda error, details: told.append(str(error)))
    monkeypatch.setattr("PySide6.QtWidgets.QMessageBox.exec", lambda *args: 0)
    trigger(qtbot, window, "mesh_cad")
    assert told and 'pip install "faying[cad]"' in told[0] and not window.findChildren(MeshDialog)
    settle(qtbot)
