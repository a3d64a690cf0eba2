"""The manual's first model, by clicks, as its page says it: the two plates and two bolts that Gmsh has meshed.

It also draws the pictures of that page: ``--manual-pictures`` puts them into the manual.
"""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QLineEdit

import faying
from faying.cli.manual_page import manual, manual_folder
from faying_app.forms.form import SpecForm
from support.windows import choose, settle, trigger, wait_for_frames, wait_idle

pytestmark = [pytest.mark.window, pytest.mark.slow]

SIZE = (1180, 740)
BODY = ("bodies", 0)


def test_two_plates_from_the_mesh_to_film_and_report(
    qtbot, make_window, tmp_path, monkeypatch, manual_picture
):
    window = make_window(SIZE)
    window.choose_theme("light")
    context = window.context
    deck = tmp_path / "two_plates.msh"
    deck.write_bytes((manual_folder() / "files" / deck.name).read_bytes())

    # 1. import, units, material
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(deck), ""))
    trigger(qtbot, window, "import_deck")
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    window.units_question.take.click()
    assert [joint.name for joint in context.project.bodies[0].joints] == [
        "nut_1",
        "nut_2",
        "lap",
        "head_1",
        "head_2",
    ]
    monkeypatch.setattr(QDialog, "exec", lambda dialog: QDialog.DialogCode.Accepted)
    trigger(qtbot, window, "give_material")
    wait_idle(qtbot, window)
    manual_picture(window, "first-model-imported")

    # 2. where it is held and pulled; 3. bolts
    for surface in ("end_held", "end_loaded"):
        in_tree(context, surface)
        choose(qtbot, window, "couple_face", "Rigid")
        wait_idle(qtbot, window)
    for surface in ("shank_1", "shank_2"):
        in_tree(context, surface)
        trigger(qtbot, window, "add_bolt")
        wait_idle(qtbot, window)
        if surface == "shank_1":
            context.selection.select((*BODY, "preloads", 0))
            type_in(qtbot, window, "force", "16 kN")
    assert [load.force for load in context.project.bodies[0].preloads[0].loads] == [16000.0, 16000.0]

    # 4. the joints
    for i, joint in enumerate(context.project.bodies[0].joints):
        context.selection.select((*BODY, "joints", i))
        if joint.name != "lap":
            trigger(qtbot, window, "tie_joint")
        else:
            context.selection.select((*BODY, "joints", i, "friction_law"))
            settle(qtbot)
            choose_in_form(qtbot, window, "coulomb")
            type_in(qtbot, window, "friction_coefficient", "0.15")
            lap = i
    context.selection.select((*BODY, "joints", lap))
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    manual_picture(window, "first-model-joint")

    # 5. the analysis
    context.selection.select(BODY)
    choose(qtbot, window, "add_analysis", "Static equilibrium")
    settle(qtbot, 400)
    manual_picture(window, "first-model-analysis")
    type_in(qtbot, window, "force", "3 kN")
    (static,) = context.project.analyses
    assert (static.support, static.preloads) == ("end_held node", ("bolts",))
    assert (
        static.loads[0].model_dump()["force"] == (3000.0, 0.0, 0.0)
        and static.loads[0].interface == "end_loaded node"
    )

    # 6. run, 7. look
    context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, 180)
    wait_for_frames(qtbot, window)
    field = window.time_bar.field
    field.setCurrentIndex(field.findData("pressure"))
    field.activated.emit(field.currentIndex())
    context.view.set(frame=context.n_frames - 1)
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=60000)
    trigger(qtbot, window, "toggle_below")
    trigger(qtbot, window, "fit_view")
    manual_picture(window, "first-model-pressure")

    # 8. film, report, project
    for kind, name in (
        ("export_video", "lap.mp4"),
        ("export_report", "lap.html"),
        ("save_project", "lap.faying"),
    ):
        path = tmp_path / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, p=path, **__: (str(p), ""))
        trigger(qtbot, window, kind)
        qtbot.waitUntil(path.is_file, timeout=60000)
        wait_idle(qtbot, window)
    assert (tmp_path / "lap.mp4").read_bytes()[4:8] == b"ftyp"
    report = (tmp_path / "lap.html").read_text(encoding="utf-8")
    assert "error" in report and "data:image/png" in report and "bolt 1" in report

    # What the page says of it, and what its study gives.
    page = manual()["first-model"].text
    told = {unit: float(number) for number, unit in re.findall(r"\*\*([\d.]+) (MPa|µm)\*\*", page)}
    by_clicks = faying.read(tmp_path / "lap.faying").solve("static")
    (tmp_path / "two_plates.toml").write_bytes((manual_folder() / "files" / "two_plates.toml").read_bytes())
    by_study = faying.read(tmp_path / "two_plates.toml").solve("pulled")
    for solution in (by_clicks, by_study):
        assert solution.field("pressure", unit="MPa").max() == pytest.approx(told["MPa"], rel=0.03)
        assert 1e3 * solution.curve("loaded ux" if solution is by_study else "end_loaded node ux")[
            -1
        ] == pytest.approx(told["µm"], rel=0.03)


def choose_in_form(qtbot, window, kind):
    """Choose a kind in the first list of the form."""
    panel = window.docks.panels["properties"]
    combo = next(box for box in panel.findChildren(QComboBox) if box.isVisible())
    combo.setCurrentIndex(combo.findData(kind))
    combo.activated.emit(combo.currentIndex())
    settle(qtbot)


def row(window, name):
    """Return the first row of a parameter in the form."""
    forms = window.docks.panels["properties"].findChildren(SpecForm)
    return next(
        row for form in forms for row in form.all_rows() if row.path[-1] == name and row.editor.isVisible()
    )


def in_tree(context, surface):
    context.selection.select((*BODY, "model", "deck_surface", surface))


def type_in(qtbot, window, name, text):
    """Type into the first line of a parameter in the form."""
    settle(qtbot)
    editor = row(window, name).editor
    line = editor if isinstance(editor, QLineEdit) else editor.findChildren(QLineEdit)[0]
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    settle(qtbot)
