"""The family of actions: where they are found, what they say, and that what they need is checked."""

import pytest
from PySide6.QtCore import Qt

from faying.project import edits
from faying_app.actions import actions
from support.windows import choose, plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window


def entries(menu):
    """Return all actions below a menu."""
    found = []
    for action in menu.actions():
        found.append(action)
        if action.menu() is not None:
            found += entries(action.menu())
    return found


def test_every_action_is_in_a_menu(window):
    in_menus = {a.objectName() for menu in window.menus.menus.values() for a in entries(menu)}
    assert set(actions) <= in_menus
    greyed = [kind for kind, action in window.menus.actions.items() if action.why_disabled(window.context)]
    assert len(greyed) >= 10


def test_undo_and_redo_name_the_edit(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, joint=False)
    assert "Import deck plates.inp" in window.menus.qt_actions["undo"].text().replace("&", "")
    trigger(qtbot, window, "undo")
    settle(qtbot)
    assert window.context.project.bodies == ()
    assert "Import deck plates.inp" in window.menus.qt_actions["redo"].text().replace("&", "")
    trigger(qtbot, window, "redo")
    settle(qtbot)
    assert window.context.project.bodies[0].name == "plates"


def test_add_rename_swap_duplicate_delete(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, joint=False)
    context = window.context
    choose(qtbot, window, "add_joint", "From two surfaces, chosen in the form")
    settle(qtbot)
    joint = context.project.bodies[0].joints[0]
    assert context.entity == ("bodies", 0, "joints", 0)
    trigger(qtbot, window, "swap_surfaces")
    swapped = context.project.bodies[0].joints[0]
    assert (swapped.master, swapped.slave) == (joint.slave, joint.master)
    trigger(qtbot, window, "duplicate_entity")
    assert [j.name for j in context.project.bodies[0].joints] == ["joint", "joint copy"]
    assert "already" in window.menus.actions["use_laws_everywhere"].why_disabled(context)
    path = ("bodies", 0, "joints", 1)
    assert context.apply("Harden", edits.set_value((*path, "contact_law", "stiffness"), 777.0))
    context.selection.select(path)
    settle(qtbot)
    assert "of “joint copy” in all joints" in window.menus.actions["use_laws_everywhere"].text(context)
    trigger(qtbot, window, "use_laws_everywhere")
    assert [j.contact_law.stiffness for j in context.project.bodies[0].joints] == [777.0, 777.0]
    trigger(qtbot, window, "undo")
    assert context.project.bodies[0].joints[0].contact_law.stiffness != 777.0
    trigger(qtbot, window, "redo")
    context.selection.select(path)
    settle(qtbot)
    trigger(qtbot, window, "delete_entity")
    assert [j.name for j in context.project.bodies[0].joints] == ["joint"]
    choose(qtbot, window, "add_analysis", "Static equilibrium")
    settle(qtbot)
    assert context.project.analyses[0].support == "hold"
    assert context.project.analyses[0].loads[0].interface == "tip"


def test_a_new_analysis_bears_all_that_the_body_declares(qtbot, window, tmp_path):
    """A load at the node that holds it, and none of the body's own, would compute nothing without a word."""
    plates_in(qtbot, window, tmp_path)
    context = window.context
    weight = {"kind": "gravity", "name": "weight", "acceleration": (0.0, 0.0, -9810.0)}
    mounted = {
        "name": "mounted",
        "loads": ({"kind": "node_force", "interface": "tip", "force": (0.0, 0.0, -5.0)},),
    }
    assert context.apply("Load", edits.add_load("plates", weight))
    assert context.apply("Preload", edits.set_value(("bodies", 0, "preloads"), (mounted,)))
    settle(qtbot)
    for title in ("Static equilibrium", "Transient", "Frequency response"):
        choose(qtbot, window, "add_analysis", title)
        settle(qtbot)
        made = context.project.analyses[-1]
        assert made.preloads == ("mounted",) and [acts.load for acts in made.body_loads] == ["weight"], title
        assert made.loads == ()


def test_joint_from_two_picked_faces(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, joint=False)
    window.pointer.facet_clicked(0, Qt.KeyboardModifier.NoModifier)
    assert len(window.context.selection.faces) == 1
    other = int(window.context.computed.skin("plates").surface.n_facets - 1)
    window.pointer.facet_clicked(other, Qt.KeyboardModifier.ControlModifier)
    assert len(window.context.selection.faces) == 2
    assert window.presenter.scene.content.highlight.facets
    choose(qtbot, window, "add_joint", "From the two picked faces")
    settle(qtbot)
    joint = window.context.project.bodies[0].joints[0]
    assert joint.master.kind == joint.slave.kind == "grown"
    assert window.context.computed.surface("plates", joint, "master").n_facets > 0


def test_run_actions_compute(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    assert len(window.context.computed.pairs("plates", "lap")) > 5
    trigger(qtbot, window, "run_all")
    wait_idle(qtbot, window)
    assert window.context.computed.results("push").n_frames == 1
    settle(qtbot)
    trigger(qtbot, window, "run_all")
    assert not window.runner.is_busy
