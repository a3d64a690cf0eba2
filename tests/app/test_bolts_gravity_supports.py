"""Forms that know the subject: the force of a bolt, standard gravity, a displaced support, in the real window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QToolButton

from faying.fem.bolt_strengths import STRENGTH_CLASSES, assembly_force
from faying.project import edits
from faying_app.forms.suggestion_line import SuggestionLine
from support.windows import choose, plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window
BODY = ("bodies", 0)


@pytest.fixture
def plates(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    return window


def lines(window):
    """Return the visible suggestions of the properties."""
    found = window.docks.panels["properties"].findChildren(SuggestionLine)
    return [line for line in found if line.isVisibleTo(window) and line.text.text()]


def box_of(window, name):
    boxes = window.docks.panels["properties"].findChildren(QComboBox)
    return next(box for box in boxes if box.parent().accessibleName() == name)


def test_size_and_class_are_lists_and_propose_the_force(qtbot, plates):
    window, context = plates, plates.context
    bolt = {"name": "bolt 1", "shank": {"kind": "deck_surface", "name": "UPPER"}}
    context.document.apply("Add bolt", edits.add_bolt("plates", bolt, "bolts", 100.0))
    context.selection.select((*BODY, "bolts", 0))
    settle(qtbot)
    assert any("Size and strength class propose" in line.text.text() for line in lines(window))
    size, strength = box_of(window, "Size"), box_of(window, "Strength class")
    assert {"M8", "M12", "M64"} <= {size.itemText(i) for i in range(size.count())}
    assert [strength.itemText(i) for i in range(strength.count())] == list(STRENGTH_CLASSES)
    for box, text in ((size, "M12"), (strength, "8.8")):
        box.setEditText(text)
        box.lineEdit().editingFinished.emit()
        settle(qtbot)
    (line,) = [line for line in lines(window) if "VDI 2230" in line.text.text()]
    assert "M12 of class 8.8, tightened to 90% of yield" in line.text.text()
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    force = context.project.bodies[0].preloads[0].loads[0].force
    assert force == pytest.approx(assembly_force("M12", "8.8", "mm-t-s"), rel=1e-3)
    assert all(not line.button.isVisibleTo(window) for line in lines(window))
    # The same where the force is given, once it differs.
    context.document.apply("Set", edits.set_value((*BODY, "preloads", 0, "loads", 0, "force"), 5.0))
    context.selection.select((*BODY, "preloads", 0))
    settle(qtbot)
    line = next(line for line in lines(window) if line.button.isVisibleTo(window))
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert context.project.bodies[0].preloads[0].loads[0].force == force


def test_g_fills_standard_gravity_in_the_units_of_the_project(qtbot, plates):
    window, context = plates, plates.context
    load = {"kind": "gravity", "name": "weight", "acceleration": (0.0, 0.0, 0.0)}
    context.document.apply("Add load", edits.add_load("plates", load))
    path = (*BODY, "loads", 0, "acceleration")
    context.selection.select(path[:-1])
    settle(qtbot)

    def press():
        buttons = window.docks.panels["properties"].findChildren(QToolButton)
        (button,) = [b for b in buttons if b.accessibleName() == "Gravity: standard gravity"]
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        settle(qtbot)

    press()
    assert context.value(path) == (0.0, 0.0, -9806.65)
    context.document.apply("Turn", edits.set_value(path, (3.0, 0.0, 4.0)))
    settle(qtbot)
    press()
    assert context.value(path) == pytest.approx((0.6 * 9806.65, 0.0, 0.8 * 9806.65), rel=1e-11)
    context.document.apply("Units", edits.set_value(("units",), "m-kg-s"))
    context.document.apply("Turn", edits.set_value(path, (0.0, 2.0, 0.0)))
    settle(qtbot)
    press()
    assert context.value(path) == (0.0, 9.80665, 0.0)


def test_a_displaced_support_asks_for_its_displacement(qtbot, plates):
    window, context = plates, plates.context
    context.selection.select((*BODY, "model", "deck_surface", "LOWER"))
    settle(qtbot)
    before = context.project
    choose(qtbot, window, "add_support", "Displaced")
    wait_idle(qtbot, window)
    (support,) = context.project.bodies[0].supports
    assert (support.name, support.behaviour, support.moves) == ("displaced 1", "fixed", True)
    assert "displaced 1" in [interface.name for interface in context.project.bodies[0].interfaces]
    (moved,) = context.project.analyses[0].displacements
    assert moved.interface == "displaced 1" and moved.given == {}
    assert any("leaves every component free" in finding.sentence for finding in context.findings)
    trigger(qtbot, window, "undo")
    assert context.project == before


def test_a_preload_case_of_two_bolts_proposes_each_force_and_all_of_them(qtbot, plates):
    window, context = plates, plates.context
    for name, surface in (("bolt 1", "UPPER"), ("bolt 2", "LOWER")):
        shank = {"kind": "deck_surface", "name": surface}
        bolt = {"name": name, "shank": shank, "size": "M8", "strength_class": "8.8"}
        context.document.apply("Add bolt", edits.add_bolt("plates", bolt, "bolts", 100.0))
    context.selection.select((*BODY, "preloads", 0))
    settle(qtbot)
    texts = [line.text.text() for line in lines(window)]
    assert len(texts) == 3 and len(set(texts)) == 2, texts
    assert sum(text.startswith("All bolts: M8 of class 8.8") for text in texts) == 1


@pytest.mark.slow  # pictures
@pytest.mark.parametrize(("theme", "size"), [("dark", (1366, 768)), ("light", (1600, 900))])
def test_the_forms_fit_in_small_windows(qtbot, make_window, tmp_path, shoot, theme, size):
    window = make_window(size)
    window.choose_theme(theme)
    plates_in(qtbot, window, tmp_path, analysis=True)
    context = window.context
    shank = {"kind": "grown", "element": 1, "face": 1}
    bolt = {"name": "bolt 1", "shank": shank, "size": "M12", "strength_class": "10.9"}
    context.document.apply("Add bolt", edits.add_bolt("plates", bolt, "bolts", 100.0))
    load = {"kind": "gravity", "name": "weight", "acceleration": (0.0, 0.0, 0.0)}
    context.document.apply("Add load", edits.add_load("plates", load))
    for name, path in {"bolt": ("bolts", 0), "preload": ("preloads", 0), "gravity": ("loads", 0)}.items():
        context.selection.select((*BODY, *path))
        shoot(window, f"form-{name}", theme, size)
    buttons = window.docks.panels["properties"].findChildren(QToolButton)
    (button,) = [b for b in buttons if b.accessibleName() == "Gravity: standard gravity"]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    shoot(window, "form-gravity", theme, size)
    line = button.parent().lines[2]
    assert line.fontMetrics().horizontalAdvance(line.text()) < line.width() - 5, "the number is cut off"
