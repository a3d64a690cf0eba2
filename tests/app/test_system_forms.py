"""Forms of systems in the real window: shapes with mass and inertia, axes of constraints, weight, degrees and rpm."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QComboBox

from faying.project import edits
from faying_app.item_models.properties import properties_of
from support.windows import choose, move_pointer, settle, trigger, view_pixels

pytestmark = pytest.mark.window
SYSTEM = ("systems", 0)


def facts(window):
    return dict(properties_of(window.context, window.context.entity))


def row_of(window, name):
    """Return the row of a parameter in the shown form."""
    form = window.docks.panels["properties"].form
    return next(row for row in form.all_rows() if row.path[-1] == name)


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_a_crank_is_made_by_shapes_and_buttons(qtbot, window):
    """One window for all: opening one takes longer than what is tried in it."""
    context = window.context
    trigger(qtbot, window, "add_system")
    settle(qtbot)
    a_link_has_mass_and_looks(qtbot, window)
    a_part_by_numbers_gets_looks(qtbot, window)
    a_revolute_says_and_takes_its_axis(qtbot, window)
    angles_are_in_degrees_and_speeds_in_rpm(qtbot, window)
    context.selection.select(SYSTEM)
    settle(qtbot)
    window.docks.panels["properties"].strip.buttons["g along −Z"].click()
    assert context.project.systems[0].gravity == (0.0, 0.0, pytest.approx(-9806.65))
    window.docks.panels["properties"].strip.buttons["none"].click()
    assert context.project.systems[0].gravity == (0.0, 0.0, 0.0)
    assert not window.problems


def a_link_has_mass_and_looks(qtbot, window):
    context, scene = window.context, window.presenter.scene
    choose(qtbot, window, "add_part", "Rigid part: Link from marker to marker")
    settle(qtbot, 150)
    part = context.project.systems[0].parts[0]
    assert (part.kind, part.shape.first, part.shape.second) == ("rigid_shape", "part.a", "part.b")
    # 100 x 10 x 10 mm of steel: 78.5 g, and a rod's moment of inertia.
    assert facts(window)["Mass"] == "7.85e-05 t" and facts(window)["Centre of mass"].startswith("50, 0, 0")
    assert facts(window)["Ixx, Iyy, Izz"].startswith("0.0013083, 0.066071, 0.066071")
    (surface,) = scene.content.system.surfaces
    assert surface.name == "part." and np.ptp(surface.points, axis=0) == pytest.approx([100.0, 10.0, 10.0])
    assert scene.content.system.parts[0].box is None and scene.content.size > 90.0
    assert view_pixels(window).std() > 12
    # A system of rigid parts alone can be looked at from all sides.
    assert window.menus.qt_actions["view_iso"].isEnabled() and window.menus.qt_actions["fit_view"].isEnabled()
    # It follows its markers, and the part's name.
    context.apply("Move", edits.set_value((*SYSTEM, "parts", 0, "markers", 1, "position"), (200.0, 0.0, 0.0)))
    context.apply("Rename", edits.rename((*SYSTEM, "parts", 0), "crank"))
    settle(qtbot, 150)
    assert context.project.systems[0].parts[0].shape.second == "crank.b"
    assert facts(window)["Mass"] == "0.000157 t"
    # It lights up under the pointer, all of it that is seen, and says what it is.
    view, overlay = window.viewport.view, window.viewport.overlay
    x, y = scene.pixels(np.array([[60.0, 0.0, 5.0]]))[0] / view.devicePixelRatioF()
    move_pointer(view, QPoint(round(x), round(view.height() - 1 - y)))
    qtbot.waitUntil(lambda: overlay.lit is not None, timeout=5000)
    assert overlay.lit.words[0] == "Part crank"
    (outline,) = overlay.lit.outlines
    assert np.ptp(outline, axis=0) == pytest.approx([200.0, 10.0, 10.0], abs=1e-3)
    # A click on it selects the part.
    x, y = scene.pixels(np.array([[60.0, 0.0, 5.0]]))[0]
    found = scene.pick(x, y)
    assert found.kind == "surface"
    context.selection.select(SYSTEM)
    window.pointer.member_clicked(found.kind, found.number)
    assert context.entity == (*SYSTEM, "parts", 0)


def a_part_by_numbers_gets_looks(qtbot, window):
    context, scene = window.context, window.presenter.scene
    choose(qtbot, window, "add_part", "Rigid part by mass and inertia")
    settle(qtbot, 150)
    assert len(scene.content.system.surfaces) == 1 and scene.content.system.parts[1].box is not None
    for kind, extent in (("sphere", (50.0, 50.0, 50.0)), ("box", (30.0, 20.0, 10.0))):
        box = next(
            b
            for b in window.docks.panels["properties"].form.findChildren(QComboBox)
            if b.accessibleName() == "Looks"
        )
        box.setCurrentIndex(box.findData(kind))
        box.activated.emit(box.currentIndex())
        settle(qtbot, 150)
        words = {"sphere": {"radius": ["25"]}, "box": {"edges": ["30", "20", "10"]}}[kind]
        for name, texts in words.items():
            editor = row_of(window, name).editor
            for line, text in zip(getattr(editor, "lines", None) or [editor.line], texts, strict=True):
                line.setText(text)
                line.editingFinished.emit()
        settle(qtbot, 150)
        surface = next(s for s in scene.content.system.surfaces if s.part == 1)
        assert np.ptp(surface.points, axis=0) == pytest.approx(extent, rel=0.01)
        assert scene.content.system.parts[1].box is None
    context.apply("Delete", edits.remove((*SYSTEM, "parts", 1)))
    settle(qtbot)


def a_revolute_says_and_takes_its_axis(qtbot, window):
    context, panel = window.context, window.docks.panels["properties"]
    words = {"kind": "revolute", "name": "pin", "first": "ground.origin", "second": "crank.a"}
    context.apply("Add", edits.add_constraint("system", words))
    place = {"position": (3.0, 4.0, 0.0), "rotation": (0.0, 0.0, 0.5)}
    context.apply("Place", edits.set_values((*SYSTEM, "parts", 0, "placement"), place))
    context.selection.select((*SYSTEM, "constraints", 0))
    settle(qtbot, 150)
    said = facts(window)
    assert said["Turns about"] == "z of ground.origin: z in space"
    assert said["Takes"].startswith("5 of 6 degrees of freedom: ")
    assert said["Markers as placed"] == "5 mm apart, z axes 0°"
    before = context.project
    panel.strip.buttons["Y"].click()
    settle(qtbot, 150)
    said = facts(window)
    assert said["Turns about"].endswith(": y in space") and said["Markers as placed"].endswith("z axes 0°")
    system = context.project.systems[0]
    # The origin stays as it is for others: the pin has a marker of its own there; crank.a was its own.
    assert system.constraints[0].first == "ground.pin axis" and system.constraints[0].second == "crank.a"
    at = context.computed.assembled(system)
    for name in system.constraints[0].marker_names():
        assert at.system.motion(name, at.position).axes[:, 2] == pytest.approx([0.0, 1.0, 0.0], abs=1e-9)
    panel.strip.buttons["Picked face"].click()
    assert "Ctrl+click" in panel.strip.problem.text() and not panel.strip.problem.isHidden()
    context.document.undo()
    settle(qtbot, 150)
    assert context.project == before
    # Its kind can be changed, its markers stay.
    context.apply("Kind", edits.replace_member((*SYSTEM, "constraints", 0), "spherical"))
    settle(qtbot, 100)
    assert context.value(context.entity).marker_names() == ("ground.origin", "crank.a")
    assert panel.strip is None and facts(window)["Takes"].startswith("3 of 6")
    context.document.undo()


def angles_are_in_degrees_and_speeds_in_rpm(qtbot, window):
    context = window.context
    words = {
        "kind": "prescribed_angular_speed", "name": "motor", "first": "ground.origin", "second": "crank.a",
        "speed": "1000 rpm",
    }  # fmt: skip
    context.apply("Add", edits.add_constraint("system", words))
    context.selection.select((*SYSTEM, "constraints", 1))
    settle(qtbot, 150)
    speed, start = row_of(window, "speed").editor, row_of(window, "start").editor
    assert speed.line.text() == "1000"
    speed.line.setText("1500")
    speed.line.editingFinished.emit()
    start.line.setText("30")
    start.line.editingFinished.emit()
    settle(qtbot)
    motor = context.project.systems[0].constraints[1]
    assert motor.speed == pytest.approx(50.0 * np.pi) and motor.start == pytest.approx(np.pi / 6)
    assert (row_of(window, "speed").editor.line.text(), row_of(window, "start").editor.line.text()) == (
        "1500",
        "30",
    )
    start.line.setText("0.1 rad")
    start.line.editingFinished.emit()
    assert context.project.systems[0].constraints[1].start == pytest.approx(0.1)
