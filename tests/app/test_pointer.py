"""The pointer in the real window: what it lights up, what can be done with what it picks, probing, measuring."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.project import edits
from faying_app.scene.picking import Picked
from faying_app.tasks import opening
from faying_app.view_state import Probe
from support.plate_deck import write_plate_deck
from support.windows import move_pointer, plates_in, settle, trigger, view_pixels, wait_idle

pytestmark = pytest.mark.window


def spot(window, place):
    """Return the pixel of a place in the view."""
    x, y = (
        window.presenter.scene.pixels(np.array([place], float))[0] / window.viewport.view.devicePixelRatioF()
    )
    return QPoint(round(x), round(window.viewport.view.height() - 1 - y))


def click(qtbot, window, place, button=Qt.MouseButton.LeftButton, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.mouseClick(window.viewport.view, button, modifier, spot(window, place))
    settle(qtbot, 100)


def hover(qtbot, window, place):
    """Rest with the pointer at a place; return what lights up."""
    move_pointer(window.viewport.view, spot(window, place))
    settle(qtbot, 150)
    return window.viewport.overlay.lit


def entries(menu):
    """Return the entries of a menu by their text."""
    return {action.text().replace("&", ""): action for action in menu.actions() if not action.isSeparator()}


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_the_pointer_lights_offers_probes_and_measures(qtbot, window, tmp_path):
    """One window for all: opening one takes longer than what is tried in it."""
    plates_in(qtbot, window, tmp_path, analysis=True)
    window.context.selection.select(("bodies", 0, "model"))
    window.context.view.turn("iso")
    settle(qtbot, 200)
    a_face_lights_up_before_a_click(qtbot, window)
    the_menu_of_a_face_has_verbs(qtbot, window)
    distances_and_angles_are_measured(qtbot, window)
    probing_is_a_mode_that_says_so(qtbot, window)
    what_was_measured_on_another_mesh_is_let_go(qtbot, window, tmp_path)


def a_face_lights_up_before_a_click(qtbot, window):
    context, overlay = window.context, window.viewport.overlay
    dark = view_pixels(window).astype(int)
    lit = hover(qtbot, window, (20.0, 5.0, 2.0))
    # The top of the upper plate is 40 by 10; the outline runs round it.
    assert "400 mm²" in lit.words[0] and "part UP" in lit.words
    assert any("face S" in words and "of element" in words for words in lit.words)
    around = np.concatenate(lit.outlines)
    assert np.ptp(around, axis=0) == pytest.approx([40.0, 10.0, 0.0]) and around[:, 2] == pytest.approx(2.0)
    assert len(lit.outlines) == 1 and len(around) < 50  # names over the face leave no holes in it
    changed = np.abs(view_pixels(window).astype(int) - dark).max(axis=2) > 12
    middle = spot(window, (5.0, 5.0, 2.0))
    assert changed[middle.y() - 3 : middle.y() + 3, middle.x() - 3 : middle.x() + 3].all()
    assert not context.selection.faces
    told = window.status.place.text().split()
    assert [float(told[i]) for i in (1, 3, 5)] == pytest.approx([20.0, 5.0, 2.0], abs=0.2) and told[6] == "mm"
    # A named surface says its name, as project and deck call it. Seen from below the upper plate hides.
    context.view.turn("-z")
    settle(qtbot, 150)
    assert hover(qtbot, window, (20.0, 5.0, -2.0)).words[0].startswith("Smooth face: 400")
    context.view.show_part("plates", 0, shown=False)
    settle(qtbot, 150)
    lit = hover(qtbot, window, (20.0, 5.0, 0.0))
    assert lit.words[0].startswith("slave of lap, UPPER: 400")
    context.view.show_part("plates", 0, shown=True)
    context.view.turn("iso")
    settle(qtbot, 200)
    assert overlay.lit is None  # what was under the pointer has moved
    # What hides behind another part does not light: the lower plate's top has no part that is seen.
    skin = context.computed.skin("plates")
    hidden = np.flatnonzero((np.abs(skin.centroids[:, 2]) < 1e-9) & (skin.normals[:, 2] > 0.9))
    context.view.set(surfaces=False, points=False, ghost=False)
    settle(qtbot, 150)
    assert len(hidden) and not window.hover._outlines(hidden)
    context.view.set(surfaces=True, points=True, ghost=True)
    settle(qtbot, 100)


def the_menu_of_a_face_has_verbs(qtbot, window):
    context = window.context
    click(qtbot, window, (20.0, 5.0, 2.0), Qt.MouseButton.RightButton)
    menu = window._entity_menu
    assert len(context.selection.faces) == 1 and menu.isVisible()
    found = entries(menu)
    for title in (
        "Use picked face as", "Couple face", "Add bolt", "Add joint", "Add contact surface", "Add support",
        "Add load", "Hide picked part", "Measure",
    ):  # fmt: skip
        assert found[title].isEnabled(), title
    assert not found["Add picked face"].isEnabled() and "surface" in found["Add picked face"].toolTip()
    menu.close()
    use = window.menus.qt_actions["use_face_as_surface"].menu()
    use.aboutToShow.emit()
    entries(use)["Slave surface"].trigger()
    settle(qtbot, 100)
    assert context.entity == ("bodies", 0, "joints", 0, "slave")
    assert context.value(context.entity).kind == "grown"
    context.document.undo()
    context.selection.select(("bodies", 0, "model"))
    settle(qtbot, 100)


def distances_and_angles_are_measured(qtbot, window):
    context, overlay = window.context, window.viewport.overlay
    measure = window.menus.qt_actions["measure"].menu()
    measure.aboutToShow.emit()
    entries(measure)["Distance of two points"].trigger()
    settle(qtbot, 100)
    assert overlay.mode.startswith("Distance")
    plain = view_pixels(window).astype(int)
    click(qtbot, window, (0.4, 0.3, 2.0))  # beside a corner, which is meant
    click(qtbot, window, (39.7, 9.7, 2.0))
    (mark,) = overlay.marks
    assert mark.words.startswith(f"{np.hypot(40.0, 10.0):.6g} mm") and "x 40, y 10, z 0" in mark.words
    assert (np.abs(view_pixels(window).astype(int) - plain).max(axis=2) > 60).sum() > 100
    assert not context.selection.faces
    context.view.set(pointer="angle")
    for place in ((39.7, 0.3, 2.0), (0.3, 0.3, 2.0), (0.3, 9.7, 2.0)):
        click(qtbot, window, place)
    assert overlay.marks[0].words == "90°"
    context.view.set(pointer="face angle")
    click(qtbot, window, (20.0, 5.0, 2.0))
    click(qtbot, window, (20.0, 0.0, 1.2))
    assert overlay.marks[0].words.startswith("90° between the normals")
    # A face that was clicked stays the same one when numbers in the picture change with a part that is hidden.
    click(qtbot, window, (20.0, 5.0, 2.0))
    context.view.show_part("plates", 0, shown=False)
    settle(qtbot, 150)
    click(qtbot, window, (20.0, 0.0, 1.2))
    assert overlay.marks[0].words.startswith("90° between the normals")
    context.view.show_part("plates", 0, shown=True)
    settle(qtbot, 150)
    context.view.set(pointer="radius")
    window.measuring.click(Picked("pair", 0, (0.0, 0.0, 0.0)))
    assert overlay.marks == () and "contact pair" in window.statusBar().currentMessage()
    click(qtbot, window, (20.0, 5.0, 2.0))
    assert overlay.marks[0].words == "" and "no cylinder" in window.statusBar().currentMessage()
    trigger(qtbot, window, "leave_mode")
    assert context.view.values.pointer == "select" and overlay.marks == () and overlay.mode == ""


def probing_is_a_mode_that_says_so(qtbot, window):
    context, overlay = window.context, window.viewport.overlay
    qt = window.menus.qt_actions
    settle(qtbot)
    assert qt["select_pointer"].isChecked() and not qt["probe"].isChecked()
    trigger(qtbot, window, "probe")
    settle(qtbot)
    assert (
        overlay.mode.startswith("Probing")
        and qt["probe"].isChecked()
        and not qt["select_pointer"].isChecked()
    )
    click(qtbot, window, (0.3, 0.3, 2.0))
    # A model without results has no values; the probe is seen all the same, with number and place.
    (probe,) = context.view.values.probes
    label = window.presenter.scene.visuals["probes"].labels[0]
    assert label.GetVisibility() and "0, 0, 2 mm" in label.GetInput()
    context.selection.select(("analyses", 0))
    settle(qtbot, 100)
    assert window.presenter.scene.content.probes == (context.computed.model("plates").node_row(probe.node),)
    context.selection.select(("bodies", 0, "model"))
    trigger(qtbot, window, "select_pointer")
    settle(qtbot)
    assert overlay.mode == "" and not qt["probe"].isChecked()
    click(qtbot, window, (20.0, 5.0, 2.0))
    assert context.selection.faces and context.view.values.probes == (
        Probe(subject="plates", node=probe.node),
    )
    trigger(qtbot, window, "drop_probes")
    assert not label.GetVisibility()


def what_was_measured_on_another_mesh_is_let_go(qtbot, window, folder):
    context, overlay = window.context, window.viewport.overlay
    context.view.set(pointer="distance")
    for place in ((0.4, 0.3, 2.0), (39.7, 9.7, 2.0)):
        click(qtbot, window, place)
    assert overlay.marks[0].words
    other = write_plate_deck(folder / "other.inp", extra="*NODE\n9998, 20., 5., 8.")
    model = context.project.bodies[0].model.with_(path=str(other), digest="")
    assert context.apply("Mesh", edits.set_value(("bodies", 0, "model"), model))
    opening.read_models(context)
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: len(window.presenter.scene.content.model.nodes) > 0 and not overlay.marks)
