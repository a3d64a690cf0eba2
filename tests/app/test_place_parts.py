"""Placing parts in the real window: beside each other, in patterns, with another's marker, dragged and turned."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from faying.project import edits
from faying_app.forms.spec_dialog import SpecDialog
from faying_app.scene.part_handles import part_handle_at, part_handles
from support.hand import LEFT, NONE
from support.windows import choose, settle, trigger

pytestmark = pytest.mark.window
SYSTEM = ("systems", 0)


def extent_of(window, number):
    """Return least and largest x of a part as it is drawn."""
    content = window.presenter.scene.content
    surface = next(k for k, each in enumerate(content.system.surfaces) if each.part == number)
    places = content.system.surface_places(surface, content.poses)
    return places[:, 0].min(), places[:, 0].max()


def test_parts_stand_beside_each_other_and_are_patterned(qtbot, window, screenshots):
    context = window.context
    trigger(qtbot, window, "add_system")
    for title in ("Rigid part: Link from marker to marker", "Rigid part: Box", "Rigid part: Cylinder"):
        choose(qtbot, window, "add_part", title)
        settle(qtbot, 150)
    one, two, three = (extent_of(window, k) for k in range(3))
    assert context.project.systems[0].parts[0].placement.position == (0.0, 0.0, 0.0)
    assert one[1] < two[0] and two[1] < three[0]
    assert three[1] - one[0] < 4.0 * 100.0  # and not far away
    # A pattern by its dialog, as one step.
    context.selection.select((*SYSTEM, "parts", 1))
    choose(qtbot, window, "pattern_part", "Along a line…")
    settle(qtbot, 150)
    dialog = window.findChild(SpecDialog, "pattern")
    assert "2 copies of 'part 2'" in dialog.facts.text()
    row = next(row for row in dialog.form.all_rows() if row.path[-1] == "step")
    for line, text in zip(row.editor.lines, ("0", "0", "0"), strict=True):
        line.setText(text)
        line.editingFinished.emit()
    assert "no length" in dialog.facts.text() and not dialog.take.isEnabled()
    row.editor.lines[1].setText("80")
    row.editor.lines[1].editingFinished.emit()
    steps = len(context.document.history)
    dialog.take.click()
    settle(qtbot, 200)
    assert len(context.document.history) == steps + 1
    names = [part.name for part in context.project.systems[0].parts]
    assert names == ["part", "part 2", "part 3", "part 2 2", "part 2 3"]
    assert [path[-1] for path in context.entities] == [3, 4]
    assert window.grab().save(str(screenshots / "pattern.png"))
    a_marker_takes_the_place_of_another(qtbot, window)
    what_assembly_moves_can_be_placed_there(qtbot, window)
    assert not window.problems


def a_marker_takes_the_place_of_another(qtbot, window):
    context = window.context
    turned = {"name": "there", "position": (10.0, 20.0, 30.0), "rotation": (0.0, np.pi / 2, 0.0)}
    context.apply("Add", edits.add_marker("system", "ground", turned))
    context.selection.select((*SYSTEM, "parts", 1))
    settle(qtbot)
    choose(qtbot, window, "add_marker", "On part 2")
    settle(qtbot, 150)
    choose(qtbot, window, "place_marker", "ground.there")
    settle(qtbot, 150)
    system = context.project.systems[0]
    at = context.computed.assembled(system)
    one, two = (at.system.motion(name, at.position) for name in ("ground.there", "part 2.marker"))
    assert two.position == pytest.approx(one.position) and two.axes == pytest.approx(one.axes, abs=1e-9)
    context.selection.select(SYSTEM)
    settle(qtbot)
    assert not window.menus.qt_actions["place_marker"].isEnabled()


def what_assembly_moves_can_be_placed_there(qtbot, window):
    """The finding on a part that assembly moves offers to place it so."""
    context = window.context
    words = {"kind": "spherical", "name": "ball", "first": "ground.origin", "second": "part 3.frame"}
    context.apply("Add", edits.add_constraint("system", words))
    settle(qtbot, 700)
    finding = next(f for f in context.findings if "changes the given position" in f.sentence)
    assert finding.remedy is not None
    context.apply(finding.remedy.label, edits.set_value(finding.remedy.path, finding.remedy.value))
    settle(qtbot, 700)
    assert not any("changes the given position" in f.sentence for f in context.findings)
    assert context.project.systems[0].parts[2].placement.position == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)


def drag(qtbot, window, start, end, modifier=NONE):
    """Press at a pixel of the view, move to another one in steps, and release."""
    view = window.viewport.view
    ratio = view.devicePixelRatioF()
    points = [QPointF(x / ratio, view.height() - 1 - y / ratio) for x, y in np.linspace(start, end, 6)]

    def send(kind, place, button, buttons):
        event = QMouseEvent(kind, place, view.mapToGlobal(place), button, buttons, modifier)
        QApplication.sendEvent(view, event)

    send(QEvent.Type.MouseButtonPress, points[0], LEFT, LEFT)
    for place in points[1:]:
        send(QEvent.Type.MouseMove, place, Qt.MouseButton.NoButton, LEFT)
    middle = window.presenter.scene.content.poses
    send(QEvent.Type.MouseButtonRelease, points[-1], LEFT, Qt.MouseButton.NoButton)
    settle(qtbot, 150)
    return middle


def test_a_part_is_dragged_and_turned_one_step_each(qtbot, window, screenshots):
    context, scene = window.context, window.presenter.scene
    trigger(qtbot, window, "add_system")
    choose(qtbot, window, "add_part", "Rigid part: Box")
    settle(qtbot, 150)
    choose(qtbot, window, "add_part", "Rigid part: Cylinder")
    settle(qtbot, 200)
    scene.view("iso")
    trigger(qtbot, window, "move_parts")
    assert context.view.values.pointer == "move"
    steps, before = len(context.document.history), context.project

    def placement():
        return context.project.systems[0].parts[0].placement

    # By itself in the plane of the picture: the camera stays, and it follows the pointer.
    camera = scene.camera
    at = scene.pixels(np.array([[0.0, 0.0, 25.0]]))[0]
    shown = drag(qtbot, window, at, at + np.array([0.0, 40.0]))
    assert scene.camera == camera and len(context.document.history) == steps + 1
    moved = np.array(placement().position)
    assert shown[0][0] == pytest.approx(moved, rel=1e-9)
    per_pixel = 1.0 / scene.stage.sheet().pixels_per_length
    assert np.linalg.norm(moved) == pytest.approx(40.0 * per_pixel, rel=1e-6)
    assert moved @ scene.stage.sheet().axes[1] > 0.0 and context.entity == (*SYSTEM, "parts", 0)
    context.document.undo()
    settle(qtbot, 150)
    assert context.project == before
    # Along an arrow, and round a ring in whole steps.
    handles = part_handles(scene, 0)
    arrow = next(h for h in handles if not h.turns and h.axis == 2)
    drag(qtbot, window, arrow.line[-1], arrow.line[-1] + 0.5 * (arrow.line[-1] - arrow.line[0]))
    x, y, z = placement().position
    assert (x, y) == (0.0, 0.0) and z > 1.0
    ring = next(h for h in part_handles(scene, 0) if h.turns and h.axis == 2)
    free = [
        p
        for p in ring.line
        if part_handle_at(scene, 0, *p) is not None and part_handle_at(scene, 0, *p).axis == 2
    ]
    start = free[0]
    later = ring.line[(int(np.argmin(np.linalg.norm(ring.line - start, axis=1))) + 4) % 48]
    drag(qtbot, window, start, later, Qt.KeyboardModifier.ShiftModifier)
    turned = np.array(placement().rotation)
    assert turned[:2] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert turned[2] == pytest.approx(np.radians(30.0))
    assert placement().position == pytest.approx((0.0, 0.0, z))
    assert window.grab().save(str(screenshots / "move-part.png"))
    # Off all parts the camera is turned as always; Esc ends it.
    drag(qtbot, window, (20.0, 20.0), (90.0, 60.0))
    assert scene.camera != camera and len(context.document.history) == steps + 2
    trigger(qtbot, window, "leave_mode")
    assert context.view.values.pointer == "select"
    assert not window.problems
