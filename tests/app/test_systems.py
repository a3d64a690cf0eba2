"""Multibody systems in the real window: built by menus, renamed, counted, undone."""

import pytest
from PySide6.QtCore import Qt

from faying.multibody.constraints import constraints
from faying.multibody.forces import forces
from faying_app.item_models.project_tree import DetailRole
from support.windows import choose, plates_in, settle, trigger

pytestmark = pytest.mark.window
SYSTEM = ("systems", 0)


def set_line(qtbot, window, name, text, at=0):
    """Type into the form's line of a parameter and press Return."""
    form = window.docks.panels["properties"].form
    row = next(r for r in form.all_rows() if r.path[-1] == name)
    line = row.editor.lines[at] if hasattr(row.editor, "lines") else row.editor.line
    qtbot.mouseDClick(line, Qt.MouseButton.LeftButton)
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    settle(qtbot)


def detail(window, path):
    """Return the short text beside an entity in the tree."""
    return window.docks.panels["project"].model.find(path).data(DetailRole)


def pendulum_in(qtbot, window):
    """Build a pendulum by the menus: a part, a marker on it, a hinge with ground, gravity, a motion."""
    context = window.context
    trigger(qtbot, window, "add_system")
    choose(qtbot, window, "add_part", "Rigid part by mass and inertia")
    choose(qtbot, window, "add_marker", "On part")
    settle(qtbot)
    set_line(qtbot, window, "position", "-100")
    choose(qtbot, window, "add_marker", "On ground")
    settle(qtbot)
    set_line(qtbot, window, "position", "-100")
    choose(qtbot, window, "add_constraint", "Revolute")
    settle(qtbot)
    context.selection.select(SYSTEM)
    settle(qtbot)
    set_line(qtbot, window, "gravity", "-9.81 m/s^2", at=1)
    settle(qtbot, 600)


def test_a_pendulum_is_built_by_the_menus_and_taken_back(qtbot, window):
    pendulum_in(qtbot, window)
    context = window.context
    assert not window.start_page.isVisible()
    system = context.project.systems[0]
    assert system.constraints[0].marker_names() == ("ground.marker", "part.marker")
    assert system.gravity == (0.0, pytest.approx(-9810.0), 0.0)
    assert detail(window, SYSTEM) == "1 DOF"
    assert window.status.counts.text() == "1 degree of freedom"
    assert context.findings == []
    for _ in range(len(context.document.history)):
        context.document.undo()
    settle(qtbot)
    assert context.project.systems == ()
    assert window.start_page.isVisible()


def test_renaming_in_the_tree_is_followed(qtbot, window):
    pendulum_in(qtbot, window)
    tree = window.docks.panels["project"]
    path = (*SYSTEM, "parts", 0)
    window.context.selection.select(path)
    trigger(qtbot, window, "rename_entity")
    settle(qtbot)
    editor = tree.view.viewport().findChild(type(tree.view.focusWidget())) or tree.view.focusWidget()
    qtbot.keyClicks(window.focusWidget() or editor, "arm")
    qtbot.keyClick(window.focusWidget() or editor, Qt.Key.Key_Return)
    settle(qtbot)
    system = window.context.project.systems[0]
    assert system.parts[0].name == "arm"
    assert system.constraints[0].second == "arm.marker"
    assert detail(window, SYSTEM) == "1 DOF"


def test_every_constraint_and_force_can_be_added_and_shown(qtbot, window):
    pendulum_in(qtbot, window)
    for action, family in (("add_constraint", constraints), ("add_force", forces)):
        for kind, cls in family.items():
            window.context.selection.select(SYSTEM)
            choose(qtbot, window, action, cls.title)
            settle(qtbot, 30)
            added = window.context.value(window.context.entity)
            assert added.kind == kind
            form = window.docks.panels["properties"].form
            assert {row.path[-1] for row in form.all_rows()} >= {"name"}
    assert not window.problems


def test_why_it_does_not_move_is_found_and_leads_there(qtbot, window):
    pendulum_in(qtbot, window)
    window.context.selection.select((*SYSTEM, "constraints", 0))
    trigger(qtbot, window, "duplicate_entity")
    settle(qtbot, 600)
    assert window.status.counts.text() == "1 degree of freedom, 5 equations too many"
    panel = window.docks.panels["findings"]
    sentences = [finding.sentence for finding in panel.model.findings]
    assert len(sentences) == 1 and "over-constrained" in sentences[0]
    window.docks.show("findings")
    settle(qtbot)
    panel.view.doubleClicked.emit(panel.model.index(0, 1))
    assert window.context.entity == SYSTEM
    facts = dict(window.docks.panels["properties"]._facts and _facts(window))
    assert facts["Degrees of freedom"] == "1"


def _facts(window):
    from faying_app.item_models.facts import facts_of

    return facts_of(window.context, window.context.entity)


def test_a_body_becomes_a_flexible_part_on_its_interface_nodes(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    trigger(qtbot, window, "add_system")
    choose(qtbot, window, "add_part", "Flexible part from plates")
    choose(qtbot, window, "add_marker", "On plates at tip")
    settle(qtbot)
    assert window.context.value(window.context.entity).interface == "tip"
    settle(qtbot, 500)
    window.context.selection.select(SYSTEM)
    settle(qtbot)
    assert dict(_facts(window)) == {"Start": "Known once plates is reduced."}
    choose(qtbot, window, "add_constraint", "Revolute")
    settle(qtbot)
    assert not window.problems
    window.context.selection.select(("bodies", 0))
    trigger(qtbot, window, "delete_entity")
    settle(qtbot, 500)
    assert not window.problems
