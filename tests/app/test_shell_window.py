"""Clicking in the real window: open, edit, select, save, reopen, themes, errors."""

import logging

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QMessageBox

from faying.project import edits
from faying.project.stage import Target
from faying_app.actions import actions
from faying_app.item_models.properties import properties_of
from faying_app.look.theme import theme
from faying_app.tasks import saving
from support.plate_deck import write_plate_deck
from support.windows import (
    drop,
    heights,
    plates_in,
    settle,
    trigger,
    view_pixels,
    wait_for_frames,
    wait_idle,
)

pytestmark = pytest.mark.window
JOINT = ("bodies", 0, "joints", 0)


def titles(window):
    """Return the texts of all lines of the tree."""
    model, found = window.docks.panels["project"].model, []

    def walk(parent):
        for row in range(model.rowCount(parent)):
            index = model.index(row, 0, parent)
            found.append(index.data())
            walk(index)

    from PySide6.QtCore import QModelIndex

    walk(QModelIndex())
    return found


def test_empty_window_is_friendly(window):
    assert window.start_page.isVisible()
    words = " ".join(label.text() for label in window.start_page.findChildren(QLabel))
    for wanted in ("FE deck", "project or study", "Friction bar"):
        assert wanted in words
    assert not window.time_bar.isVisible()


def test_deck_by_drop_makes_a_body_with_guesses(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, joint=False)
    body = window.context.project.bodies[0]
    assert [i.node_set for i in body.interfaces] == ["HOLD", "TIP"]
    assert body.joints == ()
    assert body.model.digest
    assert not window.start_page.isVisible()
    assert {"plates", "Surfaces", "LOWER", "UPPER", "hold", "tip"} <= set(titles(window))
    assert "nodes" in window.status.counts.text()
    assert view_pixels(window).std() > 15
    assert len(window.context.document.history) == 2


def test_a_deck_that_holds_a_face_is_shown(qtbot, window, tmp_path):
    """The guess lets its nodes stand on a new one, so that the model is not the one that the import has read."""
    deck = tmp_path / "held.inp"
    corners = [(x, y, z) for z in (0, 9, 18) for x, y in ((0, 0), (9, 0), (9, 9), (0, 9))]
    deck.write_text(
        "*NODE\n"
        + "".join(f"{i}, {x}., {y}., {z}.\n" for i, (x, y, z) in enumerate(corners, 1))
        + "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n2, 5, 6, 7, 8, 9, 10, 11, 12\n"
        + "*MATERIAL, NAME=M\n*ELASTIC\n210000., 0.3\n*DENSITY\n7.85E-9\n*SOLID SECTION, ELSET=E, MATERIAL=M\n"
        + "*NSET, NSET=FOOT\n1, 2, 3, 4\n*BOUNDARY\nFOOT, 1, 3\n"
    )
    drop(window, deck)
    qtbot.waitUntil(lambda: bool(window.context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    body = window.context.project.bodies[0]
    model = window.context.computed.model("held")
    assert body.deck_supports and [each.name for each in body.interfaces] == ["supports"]
    assert model is not None and "supports" in model.node_sets
    assert window.context.computed.state(Target("model", "held")).kind == "ready"
    assert view_pixels(window).std() > 15


def test_a_deck_with_a_step_runs_by_two_clicks(qtbot, window, tmp_path):
    """Import and Run: the reactions are those of the step's forces, 7 N at each of four nodes."""
    told = []
    window.context.said.connect(told.append)
    deck = tmp_path / "pulled.inp"
    corners = [(x, y, z) for z in (0, 9, 18) for x, y in ((0, 0), (9, 0), (9, 9), (0, 9))]
    deck.write_text(
        "*NODE\n"
        + "".join(f"{i}, {x}., {y}., {z}.\n" for i, (x, y, z) in enumerate(corners, 1))
        + "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n2, 5, 6, 7, 8, 9, 10, 11, 12\n"
        + "*MATERIAL, NAME=M\n*ELASTIC\n210000., 0.3\n*DENSITY\n7.85E-9\n*SOLID SECTION, ELSET=E, MATERIAL=M\n"
        + "*NSET, NSET=FOOT\n1, 2, 3, 4\n*NSET, NSET=HEAD\n9, 10, 11, 12\n*BOUNDARY\nFOOT, 1, 3\n"
        + "*STEP\n*STATIC\n*CLOAD\nHEAD, 3, 7.\n*END STEP\n*STEP\n*FREQUENCY\n4\n*END STEP\n"
    )
    drop(window, deck)
    qtbot.waitUntil(lambda: bool(window.context.project.analyses), timeout=20000)
    wait_idle(qtbot, window)
    (line,) = [each for each in told if each.startswith("Imported")]
    assert "1 analysis of the deck's load cases. Natural frequencies (4 of step 2)" in line
    (analysis,) = window.context.project.analyses
    window.context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window)
    results = window.context.computed.results(analysis.name)
    assert results.curve("supports reaction force z")[-1] == pytest.approx(-28.0)


def test_an_import_says_what_is_left_out_and_what_comes_next(qtbot, window, tmp_path):
    told = []
    window.context.said.connect(told.append)
    extra = "*ELEMENT, TYPE=CONN3D2, ELSET=C\n900, 1, 2\n*CONNECTOR SECTION, ELSET=C\nBEAM,"
    drop(
        window, write_plate_deck(tmp_path / "plates.inp", with_material=False, hold_upper=False, extra=extra)
    )
    qtbot.waitUntil(lambda: bool(window.context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    (line,) = [each for each in told if each.startswith("Imported")]
    assert "Left out (see Findings): line " in line and "CONN3D2" in line
    assert "elements have no material: Give material" in line and "2 parts: Search joints" in line
    assert "no analysis: Add analysis" in line
    assert {"Give material", "Add support", "Search joints", "Add analysis"} <= {
        action.title.rstrip("…") for _, action in actions.items()
    }
    facts = dict(properties_of(window.context, ("bodies", 0, "model")))
    assert facts["Left out"] == "2 cards (see Findings)"


def test_a_body_that_any_step_adds_is_read(qtbot, window, tmp_path):
    deck = write_plate_deck(tmp_path / "added.inp")
    window.context.apply("Add", edits.add_body({"name": "added", "model": {"path": str(deck)}}))
    wait_idle(qtbot, window)
    assert window.context.computed.model("added") is not None


def test_master_and_slave_are_guessed_by_name(qtbot, window, tmp_path):
    deck = write_plate_deck(tmp_path / "named.inp")
    deck.write_text(deck.read_text().replace("LOWER", "LAP_MASTER").replace("UPPER", "LAP_SLAVE"))
    drop(window, deck)
    qtbot.waitUntil(lambda: bool(window.context.project.bodies), timeout=20000)
    joint = window.context.project.bodies[0].joints[0]
    assert (joint.name, joint.master.name, joint.slave.name) == ("lap", "LAP_MASTER", "LAP_SLAVE")


def test_bad_deck_is_one_sentence_and_changes_nothing(qtbot, window, tmp_path):
    deck = tmp_path / "bad.inp"
    deck.write_text("*NODE\n1, 0., 0., 0.\n2, here, 0., 0.\n")
    drop(window, deck)
    qtbot.waitUntil(lambda: bool(window.problems), timeout=20000)
    box = window.problems[0]
    assert "bad.inp, line 3" in box.text()
    assert window.context.project.bodies == ()
    box.close()


def test_editing_a_parameter_marks_pairs_stale_and_undo_brings_them_back(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    tree = window.docks.panels["project"]
    window.context.selection.select(JOINT)
    settle(qtbot)
    assert (
        tree.model.data(tree.model.find(JOINT).siblingAtColumn(1), Qt.ItemDataRole.AccessibleTextRole)
        == "Up to date"
    )
    form = window.docks.panels["properties"].form
    row = next(r for r in form.all_rows() if r.path[-1] == "distance")
    qtbot.mouseDClick(row.editor.line, Qt.MouseButton.LeftButton)
    row.editor.line.selectAll()
    qtbot.keyClicks(row.editor.line, "0.3 cm")
    qtbot.keyClick(row.editor.line, Qt.Key.Key_Return)
    settle(qtbot)
    assert window.context.project.bodies[0].joints[0].search.distance == pytest.approx(3.0)
    state = tree.model.find(JOINT).siblingAtColumn(1)
    assert state.data(Qt.ItemDataRole.AccessibleTextRole).startswith("Out of date")
    assert "distance" in state.data(Qt.ItemDataRole.ToolTipRole)
    assert window.context.computed.pairs("plates", "lap") is None
    trigger(qtbot, window, "undo")
    settle(qtbot)
    assert window.context.project.bodies[0].joints[0].search.distance == 0.0
    assert row.editor.line.text() == "0"
    assert len(window.context.computed.pairs("plates", "lap")) > 5


def test_row_and_view_show_each_others_selection(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    window.context.selection.select(JOINT)
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    panel = window.docks.panels["pairs"]
    before = view_pixels(window).astype(int)
    at = panel.view.visualRect(panel.model.index(3, 0)).center()
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    settle(qtbot, 150)
    pair = panel.model.pair_of(3)
    assert window.context.selection.pairs.rows == (pair,)
    assert window.presenter.scene.content.highlight.pairs == (pair,)
    assert np.abs(view_pixels(window).astype(int) - before).max() > 40
    # Now the other way round: click a slave node in the 3D view.
    pairs = window.context.computed.pairs("plates", "lap")
    model = window.context.computed.model("plates")
    wanted = len(pairs) // 2
    window.context.view.turn("+z")
    settle(qtbot, 150)
    ratio = window.viewport.view.devicePixelRatioF()
    x, y = window.presenter.scene.pixels(model.nodes[pairs.slave_nodes])[wanted] / ratio
    place = QPoint(round(x), round(window.viewport.view.height() - 1 - y))
    qtbot.mouseClick(window.viewport.view, Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, 150)
    chosen = window.context.selection.pairs.rows
    assert len(chosen) == 1
    node = model.nodes[pairs.slave_nodes[chosen[0]]]
    assert np.allclose(node[:2], model.nodes[pairs.slave_nodes[wanted]][:2])
    rows = [panel.model.pair_of(i.row()) for i in panel.view.selectionModel().selectedRows()]
    assert rows == list(chosen)


def test_table_sorts_and_follows_the_frame(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    window.context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window)
    panel = window.docks.panels["pairs"]

    def headings():
        return [
            panel.model.headerData(i, Qt.Orientation.Horizontal) for i in range(panel.model.columnCount())
        ]

    qtbot.waitUntil(lambda: any(h.startswith("Pressure") for h in headings()), timeout=20000)
    assert headings()[-1] == "Remark"
    at = next(i for i, h in enumerate(headings()) if h.startswith("Pressure"))
    panel.model.sort(at, Qt.SortOrder.DescendingOrder)
    values = [float(panel.model.index(row, at).data()) for row in range(panel.model.n_pairs)]
    assert values == sorted(values, reverse=True)
    assert values[0] > 0


def test_results_show_time_bar_curves_and_findings(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    window.context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window)
    assert window.time_bar.isVisible()
    assert window.presenter.field == "pressure"
    window.show_panel("curves")
    settle(qtbot, 150)
    curves = window.docks.panels["curves"]
    (curve,) = curves.plot.curves
    x, y = curve.getData()
    assert len(x) == len(y) == 1
    assert abs(y[0]) > 0
    window.context.selection.select(("bodies", 0, "joint_modes"))
    settle(qtbot, 150)
    assert window.presenter.is_mode
    assert window.context.n_frames == window.context.computed.basis("plates").modes.shape[1]
    assert window.time_bar.modes.count() == window.context.n_frames
    assert "Hz" in window.time_bar.modes.itemText(0)
    still = view_pixels(window).astype(int)
    window.player.play("toggle")
    qtbot.waitUntil(lambda: window.presenter.phase > 1.4, timeout=20000)
    window.player.play("toggle")
    settle(qtbot)
    assert window.presenter.phase == 0.0
    assert np.abs(view_pixels(window).astype(int) - still).mean() < 2.0


def test_findings_lead_to_their_entity(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    words = {"kind": "static", "name": "idle", "body": "plates", "support": "nowhere"}
    window.context.apply("Add analysis", edits.add_analysis(words))
    panel = window.docks.panels["findings"]
    qtbot.waitUntil(lambda: any(f.entity[:1] == ("analyses",) for f in panel.model.findings), timeout=20000)
    window.show_panel("findings")
    settle(qtbot, 120)
    row = next(i for i, f in enumerate(panel.model.findings) if f.entity[:1] == ("analyses",))
    at = panel.view.visualRect(panel.model.index(row, 1)).center()
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseDClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert window.context.entity[:2] == ("analyses", 0)


def test_save_and_reopen_gives_the_same_picture(qtbot, make_window, tmp_path, monkeypatch):
    window = make_window()
    plates_in(qtbot, window, tmp_path, analysis=True)
    window.context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window)
    window.context.view.turn("+y")
    window.context.view.set(field="gap", scale=50.0)
    wait_for_frames(qtbot, window)
    settle(qtbot, 600)  # the picture at rest has smooth edges
    before, shared = view_pixels(window).astype(int), heights(window)
    pose = window.presenter.scene.camera
    target = tmp_path / "saved"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(target), ""))
    trigger(qtbot, window, "save_project")
    file = tmp_path / "saved.faying"
    assert file.exists()
    settle(qtbot)
    assert not window.context.document.is_modified
    assert not window.isWindowModified()
    # In the same window, after it was looked at from elsewhere.
    trigger(qtbot, window, "new_project")
    window.context.view.turn("-x")
    window.open_path(file)
    wait_for_frames(qtbot, window)
    for name in ("position", "focal_point", "view_up", "half_height"):
        assert getattr(window.presenter.scene.camera, name) == pytest.approx(getattr(pose, name)), name
    window.close()
    again = make_window()
    again.open_path(file)
    wait_for_frames(qtbot, again)
    assert again.context.entity == ("analyses", 0)
    assert again.context.view.values.field == "gap"
    assert again.presenter.scale == 50.0
    assert again.runner.log == []  # nothing had to be computed
    settle(qtbot, 600)
    after = view_pixels(again).astype(int)
    assert heights(again) == shared
    assert after.shape == before.shape
    assert np.abs(after - before).mean() < 1.0


def test_undo_after_save_counts_as_modified(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    assert saving.save_to(window.context, tmp_path / "a.faying")
    settle(qtbot)
    trigger(qtbot, window, "undo")
    settle(qtbot)
    assert window.context.document.is_modified
    assert window.isWindowModified()


def test_closing_with_changes_asks(qtbot, window, tmp_path, monkeypatch):
    plates_in(qtbot, window, tmp_path)
    monkeypatch.setattr(QMessageBox, "exec", lambda box: QMessageBox.StandardButton.Cancel)
    assert not window.close()
    assert window.isVisible()
    monkeypatch.setattr(QMessageBox, "exec", lambda box: QMessageBox.StandardButton.Discard)
    folder = window.context.session.workspace.folder
    assert window.close()
    assert not folder.exists()


def test_themes_switch_without_restart(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    window.choose_theme("light")
    settle(qtbot, 150)
    light = window.grab().toImage()
    window.choose_theme("dark")
    settle(qtbot, 150)
    dark = window.grab().toImage()
    assert dark.pixelColor(4, 400).lightness() < 80 < light.pixelColor(4, 400).lightness()
    assert view_pixels(window).mean() < 140
    window.choose_theme("light")
    assert window.context.settings.theme == "light"


@pytest.mark.parametrize("name", ["light", "dark"])
def test_texts_of_themes_are_readable(name):
    def luminance(colour):
        parts = [c / 255 for c in colour.getRgb()[:3]]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    worn = theme(name)
    for text in ("text", "muted", "error", "warning", "ok", "link"):
        for ground in ("window", "base", "raised"):
            a, b = sorted((luminance(worn.colour(text)), luminance(worn.colour(ground))))
            assert (b + 0.05) / (a + 0.05) >= 4.5, (text, ground)
    a, b = sorted((luminance(worn.colour("accent")), luminance(worn.colour("accent_text"))))
    assert (b + 0.05) / (a + 0.05) >= 4.5


def test_rename_in_the_tree(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    window.context.selection.select(("bodies", 0, "interfaces", 1))
    settle(qtbot)
    trigger(qtbot, window, "rename_entity")
    tree = window.docks.panels["project"].view
    editor = tree.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    qtbot.keyClicks(editor, "free end")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    settle(qtbot)
    project = window.context.project
    assert project.bodies[0].interfaces[1].name == "free end"
    assert project.analyses[0].loads[0].interface == "free end"


def test_history_panel_goes_back(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    panel = window.docks.panels["history"]
    labels = [panel.list.item(i).text() for i in range(panel.list.count())]
    assert labels[0] == "Opened"
    assert labels[-1] == "Add analysis"
    panel.list.itemClicked.emit(panel.list.item(1))
    settle(qtbot)
    assert window.context.project.analyses == ()
    assert panel.list.count() == len(labels)


def test_uncaught_exception_is_told_and_the_window_lives(qtbot, window, caplog):
    with caplog.at_level(logging.ERROR):
        window.guard._hook(ValueError, ValueError("planted"), None)
    settle(qtbot)
    box = next(b for b in window.findChildren(QMessageBox) if "planted" in b.informativeText())
    assert "planted" in caplog.text
    assert "is safe" in box.text()
    box.done(0)
    assert window.isVisible()


def test_recent_files_are_offered(qtbot, window, tmp_path):
    deck = plates_in(qtbot, window, tmp_path)
    assert window.context.settings.recent_files == [deck]
    action = window.menus.actions["open_recent"]
    assert [c.title for c in action.choices(window.context)] == ["plates.inp", "Forget these files"]
    deck.unlink()
    assert window.context.settings.recent_files == []
    # A file in a folder that cannot be looked into counts as gone; here its name is too long for any system.
    window.context.settings._store.setValue("recent_files", [str(tmp_path / ("x" * 300))])
    assert window.context.settings.recent_files == []
