"""The strip of steps to a first model in the real window: it leads through them, and goes when nothing is missing."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.project import edits
from support.plate_deck import write_plate_deck
from support.windows import drop, plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window
BODY = ("bodies", 0)
SIZES = ((1366, 768), (1600, 900), (2560, 1440))


def press(qtbot, window, kind):
    qtbot.mouseClick(window.guide.buttons[kind], Qt.MouseButton.LeftButton)
    settle(qtbot)


def choose(qtbot, window, title):
    entries = {entry.text(): entry for entry in window.guide.menu.actions()}
    entries[title].trigger()
    window.guide.menu.close()
    settle(qtbot)
    wait_idle(qtbot, window)


def missing(window):
    return [step.kind for step in window.guide._steps if step.missing]


def test_the_strip_leads_from_the_deck_to_the_first_analysis(qtbot, window, tmp_path):
    guide, context = window.guide, window.context
    assert not guide.isVisible()
    # Two plates that nothing but their faces connects.
    drop(window, write_plate_deck(tmp_path / "apart.inp", hold_upper=False))
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    window.units_question.take.click()
    context.document.apply("Free", edits.set_values(BODY, {"interfaces": (), "joints": ()}))
    settle(qtbot)
    assert guide.isVisible() and missing(window) == ["joints", "supports", "loads", "analysis"]
    assert guide.text.whole.startswith("No joint between 2 parts: search")
    # Joints: the panel that searches, and searches.
    press(qtbot, window, "joints")
    panel = window.docks.panels["joint_search"]
    qtbot.waitUntil(lambda: panel.search is not None, timeout=60000)
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=60000)
    panel.create_joints()
    settle(qtbot)
    assert missing(window) == ["supports", "loads", "analysis"]
    # Supports: the next face that is clicked, then how.
    press(qtbot, window, "supports")
    assert context.selection.wanted is not None
    model = context.computed.model("apart")
    context.view.turn("iso")
    settle(qtbot, 200)
    top = np.array([*model.nodes.mean(axis=0)[:2], model.nodes[:, 2].max()])
    x, y = window.presenter.scene.pixels(top[None])[0] / window.viewport.view.devicePixelRatioF()
    spot = QPoint(round(x), round(window.viewport.view.height() - 1 - y))
    qtbot.mouseClick(window.viewport.view, Qt.MouseButton.LeftButton, pos=spot)
    settle(qtbot)
    choose(qtbot, window, "Fixed")
    assert len(context.project.bodies[0].supports) == 1 and missing(window) == ["loads", "analysis"]
    press(qtbot, window, "loads")
    choose(qtbot, window, "Gravity")
    assert missing(window) == ["analysis"]
    # A step that is done shows what was decided.
    press(qtbot, window, "joints")
    assert context.entity == (*BODY, "joints")
    press(qtbot, window, "analysis")
    choose(qtbot, window, "Static equilibrium")
    assert context.project.analyses[0].kind == "static" and not guide.isVisible()
    trigger(qtbot, window, "undo")
    settle(qtbot)
    assert guide.isVisible() and missing(window) == ["analysis"]


def test_closing_is_remembered_and_can_be_taken_back(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    assert window.guide.isVisible()
    qtbot.mouseClick(window.guide.leave, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert not window.guide.isVisible() and not type(window.context.settings)().guides
    assert not window.menus.qt_actions["guide"].isChecked()
    trigger(qtbot, window, "guide")
    settle(qtbot)
    assert window.guide.isVisible() and type(window.context.settings)().guides


@pytest.mark.slow  # pictures
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_in_every_window(qtbot, make_window, tmp_path, shoot, theme):
    for size in SIZES:
        window = make_window(size)
        window.choose_theme(theme)
        plates_in(qtbot, window, tmp_path)
        shoot(window, "guide", theme, size)
        for button in window.guide.buttons.values():
            assert button.width() >= button.sizeHint().width()
        joints = []
        for i in range(3):
            window.context.document.apply("More", edits.duplicate((*BODY, "joints", i), f"lap {i + 2}"))
            joints.append((*BODY, "joints", i))
        path = (*joints[1], "contact_law", "stiffness")
        window.context.document.apply("Stiffness", edits.set_value(path, 12345.0))
        window.context.selection.select_all(joints)
        shoot(window, "many", theme, size)
        window.context.document.mark_saved(tmp_path / "x.faying")
        window.close()
