"""A joint is tied and untied in the real window: tree, form, panels, picture."""

import pytest
from PySide6.QtWidgets import QLabel

from faying.project import edits
from faying_app.forms.form import SpecForm
from faying_app.item_models.properties import properties_of
from faying_app.item_models.tree_nodes import build_tree
from support.plate_deck import write_plate_deck
from support.windows import drop, settle, trigger, wait_idle

pytestmark = pytest.mark.window
JOINT = ("bodies", 0, "joints", 0)


def _line(context):
    (project,) = build_tree(context.project, context.computed, ()).children
    (joints,) = [node for node in project.children[0].children if node.title == "Joints"]
    return joints.children[0]


def test_a_joint_is_tied_by_one_choice(qtbot, window, tmp_path):
    drop(window, write_plate_deck(tmp_path / "plates.inp"))
    qtbot.waitUntil(lambda: bool(window.context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    context = window.context
    sides = {
        side: {"kind": "deck_surface", "name": name}
        for side, name in (("master", "LOWER"), ("slave", "UPPER"))
    }
    context.document.apply("Add joint", edits.add_joint("plates", {"name": "lap", **sides}))
    context.selection.select(JOINT)
    action = window.menus.qt_actions["tie_joint"]
    trigger(qtbot, window, "tie_joint")
    wait_idle(qtbot, window)
    # The model is read with the tie at once; the tree says how many nodes, and laws are out of sight.
    line = _line(context)
    assert line.detail == "tied, 55 nodes" and [child.title for child in line.children] == ["Master", "Slave"]
    assert dict(properties_of(context, JOINT))["Tied nodes"].startswith("55, within ")
    assert any(finding.check == "ties" for finding in context.findings)
    assert not window.menus.qt_actions["update_pairs"].isEnabled()
    window.show_panel("pairs")
    settle(qtbot)
    assert any("is tied" in label.text() for label in window.docks.panels["pairs"].findChildren(QLabel))
    action.trigger()
    wait_idle(qtbot, window)
    assert _line(context).detail == "" and len(_line(context).children) == 4
    # The same in the form, and for all joints at once.
    rows = {row.path[-1]: row for row in window.docks.panels["properties"].findChild(SpecForm).all_rows()}
    assert {"treatment", "distance", "adjust"} <= set(rows)
    context.view.set(couplings=True)
    trigger(qtbot, window, "tie_all_joints")
    wait_idle(qtbot, window)
    assert context.project.bodies[0].joints_tied and _line(context).detail == "tied, 55 nodes"
    settle(qtbot)
    assert not action.isEnabled() and action.isChecked()
    drawn = window.viewport.scene.visuals["couplings"]
    assert drawn.is_relevant(window.viewport.scene.content)
