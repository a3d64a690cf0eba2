"""Searching joints in the real window: live count, parts, bulk edits, one step of creation."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from support.windows import drop, plates_in, settle, trigger, view_pixels, wait_idle

pytestmark = pytest.mark.window


@pytest.fixture
def panel(qtbot, window, tmp_path):
    """Return the panel after a search in a body of two plates."""
    plates_in(qtbot, window, tmp_path, joint=False)
    trigger(qtbot, window, "search_joints")
    found = window.docks.panels["joint_search"]
    assert found.search is None and window.questions.current is not None  # the window goes on meanwhile
    measured(qtbot, window, found)
    return found


def measured(qtbot, window, panel):
    """Wait until the worker has found candidates and their pairs."""
    qtbot.waitUntil(lambda: panel.search is not None, timeout=60000)
    qtbot.waitUntil(lambda: panel.table.next_unmeasured() is None, timeout=60000)
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=60000)


def test_search_count_edit_and_create(qtbot, window, panel, tmp_path):
    assert panel.count.text() == "1 candidate"
    (row,) = panel.table.rows
    assert row.measure.paired > 0.95
    assert row.measure.gaps == (0.0, 0.0)
    texts = {
        panel.table.headerData(i, Qt.Orientation.Horizontal): panel.table.index(0, i).data()
        for i in range(panel.table.columnCount())
    }
    assert texts == {
        "Name": "LOW / UP", "Master": "LOW", "Slave": "UP", "Areas [mm²]": "400, 400", "Paired nodes": "100.0 %",
        "Initial gap [mm]": "0 … 0", "Penetration [mm]": "0",
    }  # fmt: skip
    window.resize(1900, 900)
    settle(qtbot, 200)
    widths = [panel.view.columnWidth(i) for i in range(len(texts))]
    assert widths[0] == max(widths) and sum(widths) == panel.view.viewport().width()  # names get what is left
    window.resize(1280, 800)
    settle(qtbot, 200)
    proposed = window.context.selection.proposed
    skin = window.context.computed.skin("plates")
    assert np.allclose(skin.centroids[np.concatenate([proposed.master, proposed.slave])][:, 2], 0.0)
    assert window.presenter.scene.content.master is not None
    before = view_pixels(window).astype(int)
    # A name in its cell, and master and slave of the selected rows swapped.
    panel.table.setData(panel.table.index(0, 0), "lap")
    panel.view.selectRow(0)
    qtbot.mouseClick(panel.view.swap_button, Qt.MouseButton.LeftButton)
    settle(qtbot, 200)
    assert panel.table.rows[0].candidate.parts == row.candidate.parts[::-1]
    qtbot.waitUntil(lambda: panel.table.rows[0].measured, timeout=30000)  # again, the other way round
    assert panel.table.rows[0].measure.paired > 0.95
    assert np.abs(view_pixels(window).astype(int) - before).max() > 40
    qtbot.mouseClick(panel.view.tick_button, Qt.MouseButton.LeftButton)
    assert not panel.create_button.isEnabled()
    qtbot.mouseClick(panel.view.tick_button, Qt.MouseButton.LeftButton)
    assert panel.create_button.text() == "Create 1 joint"
    steps = len(window.context.document.history)
    qtbot.mouseClick(panel.create_button, Qt.MouseButton.LeftButton)
    settle(qtbot, 200)
    (joint,) = window.context.project.bodies[0].joints
    assert joint.name == "lap"
    assert len(window.context.document.history) == steps + 1
    assert window.context.entity == ("bodies", 0, "joints", 0)
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    pairs = window.context.computed.pairs("plates", "lap")
    assert len(pairs) > 0.95 * (len(pairs) + pairs.n_unpaired)
    trigger(qtbot, window, "undo")
    assert window.context.project.bodies[0].joints == ()


def test_sliders_and_parts_change_the_count_at_once(qtbot, window, panel):
    context = window.context
    panel.parts.item(1).setCheckState(Qt.CheckState.Unchecked)
    qtbot.waitUntil(lambda: panel.count.text() == "0 candidates", timeout=30000)
    assert panel.count.text() == "0 candidates"
    assert context.view.values.hidden_parts == (("plates", 1),)
    assert window.presenter.scene.content.skin.n_facets < context.computed.skin("plates").surface.n_facets
    panel.parts.item(1).setCheckState(Qt.CheckState.Checked)
    qtbot.waitUntil(lambda: panel.count.text() == "1 candidate", timeout=30000)
    settle(qtbot, 200)
    assert panel.count.text() == "1 candidate"
    texts = set()
    for value in (0, 100, 200, 400):
        panel.distance.setValue(value)
        texts.add(panel._distance_text.text())
    assert len(texts) == 4
    # Even the shortest distance finds plates that touch.
    panel.distance.setValue(0)
    assert panel.count.text() == "1 candidate"
    window.show_panel("pairs")
    settle(qtbot, 150)
    assert context.selection.proposed is None


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_a_search_that_is_stopped_can_be_started_again(qtbot, window, tmp_path, warm_workers):
    plates_in(qtbot, window, tmp_path, joint=False)
    warm_workers.end_all()  # one that has to be started gives time to stop it
    trigger(qtbot, window, "search_joints")
    panel = window.docks.panels["joint_search"]
    qtbot.waitUntil(panel.waiting.isVisible, timeout=20000)
    assert not panel.count.isVisible()
    qtbot.mouseClick(panel.waiting.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not panel.waiting.isVisible(), timeout=20000)
    assert panel.search is None and panel.count.text() == "Press Search to find candidates."
    qtbot.mouseClick(panel.search_button, Qt.MouseButton.LeftButton)
    measured(qtbot, window, panel)
    assert panel.count.text() == "1 candidate"


def test_rows_are_named_in_bulk(qtbot, window, panel):
    table = panel.table
    candidate = table.rows[0].candidate
    table.show_candidates([candidate] * 3, "mm-t-s")
    panel.view.selectAll()
    panel.view.name_all("flange")
    assert [row.name for row in table.rows] == ["flange", "flange 2", "flange 3"]
    panel.view.clearSelection()
    panel.view.selectRow(1)
    panel.view.tick()
    assert table.ticked() == [0, 2]
    panel.create_joints()
    assert [joint.name for joint in window.context.project.bodies[0].joints] == ["flange", "flange 3"]


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_rows_are_merged_to_one_joint(qtbot, window, tmp_path):
    """Two strips on one sheet: one joint with both, as many surfaces as there are."""
    drop(window, _strips(tmp_path / "strips.inp"))
    qtbot.waitUntil(lambda: bool(window.context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    window.units_question.take.click()
    trigger(qtbot, window, "search_joints")
    panel = window.docks.panels["joint_search"]
    measured(qtbot, window, panel)
    assert [row.candidate.parts for row in panel.table.rows] == [(1, 0), (2, 0)]  # strips are coarser
    panel.view.selectRow(0)
    settle(qtbot)
    assert not panel.view.merge_button.isEnabled()  # one row is one joint already
    qtbot.mouseClick(panel.view.swap_button, Qt.MouseButton.LeftButton)
    panel.view.selectAll()
    settle(qtbot)
    qtbot.mouseClick(panel.view.merge_button, Qt.MouseButton.LeftButton)
    measured(qtbot, window, panel)
    assert panel.count.text() == "1 candidate" and panel.create_button.text() == "Create 1 joint"
    (row,) = panel.table.rows
    assert row.measure.paired > 0.95 and row.measure.gaps == (0.0, 0.0)
    assert [panel.table.index(0, column).data() for column in (1, 2)] == ["part 1", "part 2, part 3"]
    qtbot.mouseClick(panel.view.swap_button, Qt.MouseButton.LeftButton)
    measured(qtbot, window, panel)
    assert [panel.table.index(0, column).data() for column in (1, 2)] == ["part 2, part 3", "part 1"]
    qtbot.mouseClick(panel.view.swap_button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    qtbot.mouseClick(panel.create_button, Qt.MouseButton.LeftButton)
    settle(qtbot, 200)
    (joint,) = window.context.project.bodies[0].joints
    assert joint.master.kind == joint.slave.kind == "combined" and len(joint.master.parts) == 2
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    pairs = window.context.computed.pairs("strips", joint.name)
    assert len(pairs) > 0.95 * (len(pairs) + pairs.n_unpaired)
    assert pairs.weights.sum() == pytest.approx(2 * 100.0, rel=0.05)


def _strips(path):
    """Write a plate with two strips on it, 10 × 10 each, that do not touch each other."""
    lines, elements, first = ["*NODE"], [], 1
    for low, high, counts in (
        ((0, 0, -2), (40, 10, 0), (20, 5, 1)), ((2, 0, 0), (12, 10, 2), (4, 4, 1)), ((28, 0, 0), (38, 10, 2), (4, 4, 1))
    ):  # fmt: skip
        axes = [np.linspace(a, b, n + 1) for a, b, n in zip(low, high, counts, strict=True)]
        grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        lines += [f"{first + i}, {x:.9g}, {y:.9g}, {z:.9g}" for i, (x, y, z) in enumerate(grid)]
        number = first + np.arange(len(grid)).reshape([n + 1 for n in counts])
        ring = ((0, 0), (1, 0), (1, 1), (0, 1))
        shape = [n - 1 for n in number.shape]
        corners = [
            number[i : i + shape[0], j : j + shape[1], k : k + shape[2]].ravel()
            for k in (0, 1)
            for i, j in ring
        ]
        elements += np.stack(corners, axis=1).tolist()
        first += len(grid)
    lines += ["*ELEMENT, TYPE=C3D8, ELSET=ALL"]
    lines += [", ".join(map(str, (i, *row))) for i, row in enumerate(elements, 1)]
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "210000., 0.3", "*DENSITY", "7.85E-9"]
    lines += ["*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL"]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return path
