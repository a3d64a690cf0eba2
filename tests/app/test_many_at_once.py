"""Several entities at once in the real window: select, edit, copy, paste, delete; each is one step."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from faying.project import edits
from faying_app.forms.kind_chooser import KindChooser
from support.windows import plates_in, settle, trigger

pytestmark = pytest.mark.window
BODY = ("bodies", 0)
JOINTS = [(*BODY, "joints", i) for i in range(3)]


@pytest.fixture
def three(qtbot, window, tmp_path):
    """A window with three joints of different stiffness and an analysis."""
    plates_in(qtbot, window, tmp_path, analysis=True)
    document = window.context.document
    for i, stiffness in enumerate((2e4, 3e4)):
        document.apply("Duplicate", edits.duplicate(JOINTS[i], f"lap {i + 2}"))
        path = (*JOINTS[i + 1], "contact_law", "stiffness")
        document.apply("Stiffness", edits.set_value(path, stiffness))
    settle(qtbot)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def click(qtbot, window, path, keys=Qt.KeyboardModifier.NoModifier):
    """Click the line of an entity in the tree."""
    tree = window.docks.panels["project"]
    index = tree.model.find(path)
    tree.view.scrollTo(index)
    place = tree.view.visualRect(index).center()
    QTest.mouseClick(tree.view.viewport(), Qt.MouseButton.LeftButton, keys, place)
    settle(qtbot)


def rows(window):
    return {row.path[-1]: row for row in window.docks.panels["properties"].many.rows}


def test_three_joints_are_edited_in_one_form(qtbot, three):
    window, context = three, three.context
    control = Qt.KeyboardModifier.ControlModifier
    click(qtbot, window, JOINTS[0])
    click(qtbot, window, JOINTS[2], Qt.KeyboardModifier.ShiftModifier)
    inside = [path for path in context.entities if len(path) > 4]
    assert set(JOINTS) <= set(context.entities)
    for path in inside:  # lines of unfolded joints between them
        click(qtbot, window, path, control)
    assert context.entities == tuple(JOINTS) and context.entity == JOINTS[2]
    panel = window.docks.panels["properties"]
    assert "3 joints selected" in [label.text() for label in panel.findChildren(QLabel)]
    line = rows(window)["stiffness"].editor.line
    assert line.text() == "" and line.placeholderText() == "various"
    assert rows(window)["treatment"].editor.box.currentText() == "contact"
    # A focus that leaves a field of various values changes nothing.
    line.setFocus()
    line.clearFocus()
    steps = context.document.position
    # One value for all, as one step that is undone as one.
    before = context.project
    line.setFocus()
    qtbot.keyClicks(line, "70000")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    settle(qtbot)
    assert context.document.position == steps + 1
    assert [joint.contact_law.stiffness for joint in context.project.bodies[0].joints] == [7e4] * 3
    assert "of 3 joints" in context.document.undo_label
    assert rows(window)["stiffness"].editor.line.text() == "70000"
    trigger(qtbot, window, "undo")
    settle(qtbot)
    assert context.project == before and rows(window)["stiffness"].editor.line.text() == ""
    # A friction law for all of them by the chooser.
    chooser = next(c for c in panel.findChildren(KindChooser) if c.combo.accessibleName() == "Friction law")
    chooser.combo.setCurrentIndex(chooser.combo.findData("coulomb"))
    chooser.combo.activated.emit(chooser.combo.currentIndex())
    settle(qtbot)
    laws = [joint.friction_law for joint in context.project.bodies[0].joints]
    assert all(law is not None and law.kind == "coulomb" for law in laws)
    # A refused value changes none of them, and says why.
    line = rows(window)["stiffness"].editor.line
    before = context.project
    line.setFocus()
    qtbot.keyClicks(line, "-5")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    settle(qtbot)
    assert context.project == before and rows(window)["stiffness"].is_wrong
    assert window.has_refused_field()


def test_many_are_duplicated_and_deleted_as_one_step(qtbot, three):
    window, context = three, three.context
    context.selection.select_all(JOINTS[:2])
    before = context.project
    trigger(qtbot, window, "duplicate_entity")
    settle(qtbot)
    names = [joint.name for joint in context.project.bodies[0].joints]
    assert names == ["lap", "lap copy", "lap 2", "lap 2 copy", "lap 3"]
    assert [context.value(path).name for path in context.entities] == ["lap copy", "lap 2 copy"]
    assert window.menus.qt_actions["delete_entity"].text().replace("&", "") == "Delete 2 joints"
    tree = window.docks.panels["project"]
    tree.view.setFocus()
    qtbot.keyClick(tree.view, Qt.Key.Key_Delete)
    settle(qtbot)
    assert context.project == before
    context.selection.select_all([*JOINTS, ("analyses", 0)])
    settle(qtbot)
    trigger(qtbot, window, "delete_entity")
    settle(qtbot)
    assert context.project.bodies[0].joints == () and context.project.analyses == ()
    trigger(qtbot, window, "undo")
    settle(qtbot)
    assert context.project == before


def test_laws_loads_and_analyses_go_through_the_clipboard(qtbot, three):
    window, context = three, three.context
    tree = window.docks.panels["project"]
    control = Qt.KeyboardModifier.ControlModifier
    click(qtbot, window, ("analyses", 0))
    tree.view.setFocus()
    qtbot.keyClick(tree.view, Qt.Key.Key_C, control)
    assert "[[analyses]]" in QGuiApplication.clipboard().text()
    qtbot.keyClick(tree.view, Qt.Key.Key_V, control)
    settle(qtbot)
    assert [analysis.name for analysis in context.project.analyses] == ["push", "push 2"]
    assert context.entity == ("analyses", 1)
    # A law of one joint replaces those of two others.
    context.selection.select((*JOINTS[2], "contact_law"))
    trigger(qtbot, window, "copy_entity")
    context.selection.select_all(JOINTS[:2])
    trigger(qtbot, window, "paste_entity")
    settle(qtbot)
    assert [joint.contact_law.stiffness for joint in context.project.bodies[0].joints] == [3e4] * 3
    assert len(window.docks.panels["properties"].many.rows) > 0
    # Any other text is refused with a sentence.
    QGuiApplication.clipboard().setText("a shopping list")
    before = context.project
    trigger(qtbot, window, "paste_entity")
    settle(qtbot)
    assert context.project == before and "clipboard" in window.problems[-1].text()
    window.problems[-1].close()


def test_a_law_is_selected_wherever_it_is_shared(qtbot, three):
    window, context = three, three.context
    context.selection.select((*JOINTS[0], "contact_law"))
    settle(qtbot)
    action = window.menus.qt_actions["select_same_law"]
    assert not action.isEnabled() and "No other joint" in action.toolTip()
    path = (*JOINTS[2], "contact_law", "stiffness")
    context.document.apply(
        "Same", edits.set_value(path, context.value((*JOINTS[0], "contact_law", "stiffness")))
    )
    trigger(qtbot, window, "select_same_law")
    settle(qtbot)
    assert context.entities == ((*JOINTS[0], "contact_law"), (*JOINTS[2], "contact_law"))
    assert rows(window)["stiffness"].editor.line.text() != ""
    # The tree shows the laws that it folds away by their joints; what is set is set in both.
    line = rows(window)["stiffness"].editor.line
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "40000")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    settle(qtbot)
    found = [joint.contact_law.stiffness for joint in context.project.bodies[0].joints]
    assert found[0] == found[2] == 4e4 != found[1]
