"""Condensed matrices (.mat) in the window: imported by the usual names, or by those that the form says."""

import numpy as np
import pytest
import scipy.io
from PySide6.QtWidgets import QFileDialog

from faying.project import edits
from faying_app.forms.editors.text import TextEditor
from faying_app.forms.fold import Fold
from faying_app.forms.form import SpecForm
from support.windows import settle, trigger, wait_for_frames, wait_idle

pytestmark = pytest.mark.window


def matrices():
    """Return two squares of four points that touch, springs behind them, and a force that presses them together."""
    corners = np.array([[0.0, 0.0], [10.0, 0.0], [20.0, 0.0], [0.0, 8.0], [10.0, 8.0], [20.0, 8.0]])
    quads = np.array([[1, 2, 5, 4], [2, 3, 6, 5]])
    share = np.zeros((2, 6))
    for row, quad in enumerate(quads):
        share[row, quad - 1] = 0.25
    r = 19
    return {
        "M": 1e-6 * np.eye(r), "K": 100.0 * np.eye(r), "L": np.eye(r), "Qm": share, "Tm": 80.0 * share.T,
        "R": np.eye(3, r, 16), "Fv": np.append(np.tile([0.0, 0.0, 1.0], 6), 0.0)[:, None],
        "node_coords": corners, "quad_elem_nodes": np.column_stack([[1, 2], quads]), "tri_elem_nodes": np.zeros((0, 4)),
    }  # fmt: skip


def bring(qtbot, window, path, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(path), ""))
    trigger(qtbot, window, "import_deck")
    qtbot.waitUntil(lambda: bool(window.context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_an_imported_file_runs_and_shows_its_pressures(qtbot, window, tmp_path, monkeypatch, screenshots):
    scipy.io.savemat(tmp_path / "beam.mat", matrices())
    bring(qtbot, window, tmp_path / "beam.mat", monkeypatch)
    context = window.context
    (body,) = context.project.bodies
    assert [each.name for each in body.interfaces] == ["frame", "point"] and body.preloads[0].name == "bolts"
    assert body.model.matrices.joints[0].interpolation == "Qm"
    held = {"kind": "static", "name": "tight", "body": body.name, "support": "frame", "preloads": ["bolts"],
            "loads": [{"interface": "point", "force": (1.0, 0.0, 0.0)}]}  # fmt: skip
    assert context.apply("Add analysis", edits.add_analysis(held))
    context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window)
    wait_for_frames(qtbot, window)
    field = window.time_bar.field
    field.setCurrentIndex(field.findData("pressure"))
    field.activated.emit(field.currentIndex())
    context.view.set(frame=context.n_frames - 1)
    wait_idle(qtbot, window)
    trigger(qtbot, window, "fit_view")
    for theme in ("dark", "light"):
        window.choose_theme(theme)
        settle(qtbot, 300)
        assert window.widget.grab().save(str(screenshots / f"condensed-{theme}.png"))
    context.selection.select(("bodies", 0, "model"))
    settle(qtbot, 300)
    form = window.widget.findChild(SpecForm)
    for fold in form.findChildren(Fold):
        if not fold.is_open:
            fold.toggle()
    settle(qtbot, 300)
    assert form.grab().save(str(screenshots / "condensed-form.png"))
    texts = [editor.line.text() for editor in form.findChildren(TextEditor)]
    assert {"M", "K", "Qm", "Tm", "node_coords", "R", "Fv"} <= set(texts)


def test_other_names_are_asked_for_in_the_form(qtbot, window, tmp_path, monkeypatch):
    found = matrices()
    named = {"masses": found["M"], "springs": found["K"], "turned": found["L"], "points": found["Qm"],
             "areas": [80.0, 80.0]}  # fmt: skip
    scipy.io.savemat(tmp_path / "other.mat", named)
    bring(qtbot, window, tmp_path / "other.mat", monkeypatch)
    context = window.context
    assert not context.project.bodies[0].interfaces
    words = {
        "mass": "masses", "stiffness": "springs",
        "joints": [{"name": "lap", "motions": "turned", "interpolation": "points", "weights": "areas"}],
    }  # fmt: skip
    assert context.apply("Name", edits.set_value(("bodies", 0, "model", "matrices"), words))
    qtbot.waitUntil(lambda: bool(context.project.bodies[0].joints), timeout=20000)
    wait_idle(qtbot, window)
    (body,) = context.project.bodies
    assert [each.name for each in body.joints] == ["lap"] and body.interfaces[0].node_set == "frame"
