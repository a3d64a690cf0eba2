"""A gear made from a few numbers in the real window: decided in the form, told what follows, and imported."""

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog

from faying.project import edits
from faying_app.forms.mesh_dialog import MeshDialog
from support.windows import choose, settle, wait_idle

pytestmark = pytest.mark.window


def test_a_gear_is_made_and_imported(qtbot, window, tmp_path, monkeypatch):
    choose(qtbot, window, "make_mesh", "Spur gear…")
    (dialog,) = window.findChildren(MeshDialog)
    settle(qtbot)
    rows = {row.path[-1]: row for row in dialog.form.all_rows()}

    def decide(name, text):
        rows[name].editor.line.setText(text)
        rows[name].editor.line.editingFinished.emit()

    small = {"width_elements": "1", "rim_elements": "2", "flank_elements": "4", "tooth_elements": "4"}
    for name, text in {**small, "teeth": "24", "module": "2 mm", "bore": "2 cm", "mate_teeth": "36"}.items():
        decide(name, text)
    assert "Tip diameter 52 mm" in dialog.facts.text() and "Centre distance 60 mm" in dialog.facts.text()
    decide("centre_distance", "59 mm")  # refused, and the sentence is at the row
    assert rows["centre_distance"].is_wrong and dialog.spec.centre_distance == 0.0
    path = tmp_path / "wheel.inp"
    body, model = made(qtbot, window, dialog, path, monkeypatch)
    assert len(model.nodes) == len(dialog_model_nodes(small)) and body.interfaces
    assert "FLANKS_LEFT" in model.surfaces and path.stat().st_size > 0
    settle(qtbot)


def made(qtbot, window, dialog, path, monkeypatch):
    """Accept the dialog, and return the body that is imported, and its model."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))
    dialog.make.click()
    qtbot.waitUntil(lambda: bool(window.context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    (body,) = window.context.project.bodies
    return body, window.context.computed.model(body.name)


def dialog_model_nodes(small):
    """Return the nodes of the same gear, made without the window."""
    from faying.fem.mesh_makers.spur_gear import SpurGear

    words = {name: int(text) for name, text in small.items()}
    return SpurGear(teeth=24, module=2.0, bore=20.0, **words).model().nodes


def test_a_part_is_made_in_the_units_of_the_project(qtbot, window, tmp_path, monkeypatch):
    window.context.apply("Units", edits.set_value(("units",), "m-kg-s"))
    choose(qtbot, window, "make_mesh", "Bolted lap…")
    (dialog,) = window.findChildren(MeshDialog)
    settle(qtbot)
    rows = {row.path[-1]: row for row in dialog.form.all_rows()}
    assert rows["length"].editor.line.text() == "0.1" and "Joint area 0.00153638 m²" in dialog.facts.text()
    rows["overlap"].editor.line.setText("120 mm")
    rows["overlap"].editor.line.editingFinished.emit()
    assert rows["overlap"].is_wrong and dialog.spec.overlap == 0.04
    body, model = made(qtbot, window, dialog, tmp_path / "lap.inp", monkeypatch)
    assert np.ptp(model.nodes, axis=0) == pytest.approx([0.16, 0.04, 0.016])
    assert window.context.project.units == "m-kg-s" and len(model.bolts) == 1
    assert [each.name for each in body.interfaces] == ["lower_end", "upper_end"]
    settle(qtbot)
