"""Everything at hand in one real window: commands, keys, the tree's filter, undo from a field, tables."""

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QDialog, QLineEdit, QMenu, QTabBar, QTableView

from faying.examples import GROUPS, examples
from faying.fem.material_grades import GRADES
from faying.fem.materials.library import LIBRARY
from faying_app.actions import actions
from faying_app.look.readable import readable
from faying_app.shell.mnemonics import marked, mnemonics
from faying_app.shell.palette import Palette, matching
from support.windows import plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window


@pytest.fixture
def at_hand(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def test_mnemonics_are_given_so_that_as_many_as_possible_get_one():
    assert mnemonics(["Open", "Open recent", "Paste"]) == ["o", "r", "p"]
    assert mnemonics(["ab", "a"]) == ["b", "a"]  # the first gives way
    assert mnemonics(["a", "a", "…"]) == ["a", "", ""]
    assert marked("Mesh & edges", "e") == "Mesh && &edges" and marked("R & D", "") == "R && D"


def test_commands_keys_tree_and_tables(qtbot, at_hand):
    window = at_hand
    letters(window)
    commands(qtbot, window)
    tree(qtbot, window)
    properties_come_to_the_front(qtbot, window)
    undo_in_a_field(qtbot, window)
    tables(qtbot, window)
    below_the_view(qtbot, window)


def letters(window):
    """Every menu has a letter for each of its entries, each once; no key means two things."""
    menus = {"": window.menuBar(), **window.menus.menus}
    inner = [
        menu for each in window.menus.menus.values() for menu in each.findChildren(QMenu) if menu.title()
    ]
    menus |= {menu.title(): menu for menu in inner}
    assert len(inner) > 5
    alt = []
    for name, menu in menus.items():
        texts = [entry.text() for entry in menu.actions() if not entry.isSeparator()]
        marks = [text.replace("&&", "").partition("&")[2][:1].lower() for text in texts]
        assert all(marks) and len(set(marks)) == len(marks), (
            name,
            [t for t, m in zip(texts, marks, strict=True) if not m or marks.count(m) > 1],
        )
        alt += [f"Alt+{mark.upper()}" for mark in marks] if not name else []
    keys = [
        QKeySequence(k.strip()).toString() for _, a in actions.items() for k in a.shortcut.split(";") if k
    ]
    twice = {key for key in (*keys, *alt) if (*keys, *alt).count(key) > 1}
    assert not twice


def commands(qtbot, window):
    """Ctrl+K, some letters, Enter: what is not possible says why and does nothing."""
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    found = window.findChild(Palette)
    assert found.isVisible() and {"undo", "fit_view"} <= set(actions)
    offered = {command.words for command in found.commands}
    assert "Help ▸ Keyboard shortcuts" in offered and "View ▸ Theme ▸ Dark" in offered
    assert "View ▸ Panels ▸ Findings" in offered and any(
        "Example" in w or "Friction bar" in w for w in offered
    )
    qtbot.keyClicks(found.line, "panels find")
    assert found.found[0].words == "View ▸ Panels ▸ Findings"
    qtbot.keyClick(found.line, Qt.Key.Key_Return)
    settle(qtbot)
    assert window.docks.is_open and window.docks.panels["findings"].isVisible()
    trigger(qtbot, window, "command_palette")
    found = window.findChildren(Palette)[-1]
    qtbot.keyClicks(found.line, "pause")
    assert found.found[0].why_not and found.told.text().startswith("Not now: ")
    qtbot.keyClick(found.line, Qt.Key.Key_Return)
    assert found.isVisible()
    found.line.setText("pendulum")  # in the names of examples alone
    assert found.found and all(command.is_file for command in found.found)
    found.line.setText("b")
    kinds = [command.is_file for command in matching(found.commands, "b")]
    assert any(kinds) and kinds == sorted(kinds)
    found.close()


def tree(qtbot, window):
    """The filter leaves what has the words, and what is above; folds stay as they were."""
    panel = window.docks.panels["project"]

    def lines(parent=QModelIndex()):  # noqa: B008
        for row in range(panel.model.rowCount(parent)):
            index = panel.model.index(row, 0, parent)
            if not panel.view.isRowHidden(row, parent):
                yield panel.model.node(index).title
                yield from lines(index)

    before = list(lines())
    trigger(qtbot, window, "find_in_tree")
    assert panel.filter.hasFocus()
    qtbot.keyClicks(panel.filter, "friction")
    assert list(lines()) == [
        panel.model.node(panel.model.index(0, 0)).title,
        "plates",
        "Joints",
        "lap",
        "Friction law",
        "Joint modes",  # to an accuracy, with friction
    ]
    panel.filter.clear()
    assert list(lines()) == before
    # What is selected can be deleted from the picture as from the tree.
    window.context.selection.select(("bodies", 0, "joints", 0))
    settle(qtbot)
    window.viewport.view.setFocus()
    qtbot.keyClick(window.viewport.view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot)
    assert [joint.name for joint in window.context.project.bodies[0].joints] == ["lap", "lap copy"]
    qtbot.keyClick(window.viewport.view, Qt.Key.Key_Delete)
    settle(qtbot)
    assert [joint.name for joint in window.context.project.bodies[0].joints] == ["lap"]


def properties_come_to_the_front(qtbot, window):
    """Selecting a line of the tree brings Properties to the front, unless the user has closed them."""
    panel, tree = window.docks.panels["properties"], window.docks.panels["project"]
    window.show_panel("display")
    settle(qtbot)
    assert panel.visibleRegion().isEmpty()
    place = tree.view.visualRect(tree.model.find(("bodies", 0, "reduction"))).center()
    qtbot.mouseClick(tree.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot)
    assert window.context.entity == ("bodies", 0, "reduction") and not panel.visibleRegion().isEmpty()


def undo_in_a_field(qtbot, window):
    """What is typed is undone in the field; what Enter put into the project is undone there, the focus in the field."""
    context, control = window.context, Qt.KeyboardModifier.ControlModifier
    context.selection.select(("bodies", 0, "joints", 0))
    settle(qtbot)
    lines = window.docks.panels["properties"].findChildren(QLineEdit)
    name = next(line for line in lines if line.text() == "lap")
    name.setFocus()
    qtbot.waitUntil(name.hasFocus)
    name.selectAll()
    qtbot.keyClicks(name, "seam")
    qtbot.keyClick(name, Qt.Key.Key_Z, control)
    assert name.text() == "lap" and context.project.bodies[0].joints[0].name == "lap"
    name.selectAll()
    qtbot.keyClicks(name, "seam")
    qtbot.keyClick(name, Qt.Key.Key_Return)
    settle(qtbot)
    assert context.project.bodies[0].joints[0].name == "seam"
    name = next(line for line in lines if line.text() == "seam")
    name.setFocus()
    qtbot.keyClick(name, Qt.Key.Key_Z, control)
    settle(qtbot)
    assert context.project.bodies[0].joints[0].name == "lap"


def tables(qtbot, window):
    """Ctrl+C puts the selected rows on the clipboard with their headings; each table has the same menu."""
    window.context.refresh_findings()
    window.show_panel("findings")
    settle(qtbot)
    view = window.docks.panels["findings"].view
    assert view.model().rowCount() > 0
    view.selectRow(0)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    rows = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert rows[0] == ["Where", "What", "What to do"] and rows[1][1] == window.context.findings[0].sentence
    for kind in ("pairs", "joint_search", "bolts", "convergence", "reduction_study", "quality"):
        for table in window.docks.panels[kind].findChildren(QTableView):
            assert [action.text() for action in table.actions()] == ["Copy", "Copy all", "Save as CSV…"]


def below_the_view(qtbot, window):
    """The panels below show their tabs alone until one is needed; the view has more than half of the window."""

    def share():
        return window.viewport.width() * window.viewport.height() / (window.width() * window.height())

    assert window.docks.is_open
    trigger(qtbot, window, "toggle_below")
    settle(qtbot, 150)
    assert not window.docks.is_open and share() > 0.5
    bar = next(bar for bar in window.findChildren(QTabBar) if bar.property("watched"))
    titles = [bar.tabText(i) for i in range(bar.count())]
    assert len(titles) == 13 and titles.index("Mesh") < titles.index("Run") < titles.index("Curves")
    last = bar.tabRect(bar.count() - 1)
    assert last.right() <= bar.width(), "tabs are cut off"
    place = bar.tabRect(titles.index("Curves")).center()
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, 150)
    assert window.docks.is_open and window.docks.panels["curves"].height() > 100
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, 150)
    assert not window.docks.is_open and share() > 0.5


def test_materials_and_parts_by_name(qtbot, at_hand, monkeypatch):
    """The library gives elements a material, in the project's units; parts are called like their element sets."""
    window, context = at_hand, at_hand.context
    panel = window.docks.panels["project"]

    def lines(parent=QModelIndex()):  # noqa: B008
        for row in range(panel.model.rowCount(parent)):
            index = panel.model.index(row, 0, parent)
            yield panel.model.node(index)
            yield from lines(index)

    def choose(dialog):
        dialog.filter.setText("ti-6al")
        dialog.sets.setCurrentIndex(dialog.sets.findData("UP"))
        return QDialog.DialogCode.Accepted

    titles = {node.title: node for node in lines()}
    assert {"LOW", "UP"} <= set(titles) and titles["UP"].detail.endswith("nodes")
    assert [n.detail for n in lines() if n.path == ("bodies", 0, "materials")] == ["of the deck"]
    monkeypatch.setattr(QDialog, "exec", choose)
    context.selection.select(("bodies", 0, "materials"))
    trigger(qtbot, window, "give_material")
    wait_idle(qtbot, window)
    (given,) = context.project.bodies[0].materials
    assert (given.name, given.element_set) == ("titanium", "UP")
    assert context.entity == ("bodies", 0, "materials", 0) and context.entity_kind == "body_material"
    node = next(node for node in lines() if node.path == context.entity)
    assert (node.title, node.detail) == ("titanium", "UP")
    qtbot.waitUntil(
        lambda: "titanium" in getattr(context.computed.model("plates"), "materials", ()), timeout=20000
    )
    assert context.computed.model("plates").materials["titanium"].youngs_modulus == pytest.approx(114000.0)
    trigger(qtbot, window, "delete_entity")
    assert context.project.bodies[0].materials == ()
    assert set(GRADES) == set(LIBRARY) and all(grade and source for grade, source in GRADES.values())


def test_every_example_is_in_a_group_of_the_start_page():
    assert {example.group for _, example in examples.items()} == set(GROUPS)


def test_numbers_are_told_in_units_that_people_read():
    assert readable(5.23e-5, "mass", "mm-t-s") == "52.3 g (5.23e-05 t)"
    assert readable(2.5, "mass", "m-kg-s") == "2.5 kg" and readable(20.0, "mass", "mm-t-s") == "20 t"
    assert readable(7.85e-9, "density", "mm-t-s").startswith("7850 kg/m³ (")
    assert readable(-0.0002, "length", "mm-t-s") == "-200 nm (-0.0002 mm)"
    assert readable(0.0, "length", "mm-t-s") == "0 mm" and readable(3.0, "force", "mm-t-s") == "3 N"
