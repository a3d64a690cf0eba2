"""Forms of systems in the real window: shapes with mass and inertia, axes of constraints, weight, degrees and rpm."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QComboBox

from faying.multibody.system_spec import SystemSpec
from faying.params import build
from faying.project import edits
from faying.project.paths import value_at
from faying_app.forms.editors.rows import read_rows
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


def test_rows_are_read_as_spreadsheets_write_them():
    wanted = ((0.0, 1.5), (2.0, -3.0))
    for text in (
        "0, 1.5\n2, -3",
        "x [mm]\tforce [N]\n0\t1,5\n2\t-3",
        "0;1,5\n2;-3,0\n",
        "0 1.5\n\n2 -3",
        "x, f\n0,1.5\n2,-3",
    ):
        assert read_rows(text) == wanted, text
    assert read_rows("0, 1\nx, 2") == (
        (0.0, 1.0),
        ("x", 2.0),
    )  # a word among numbers is refused with a sentence
    assert read_rows("none") == (("none",),) and read_rows("") == ()


def spring_with(characteristic):
    """Return the words of a system of a spring alone."""
    force = {"kind": "spring_damper", "name": "strut", "first": "ground.origin", "second": "ground.seat"}
    ground = [{"name": "seat", "position": (1.0, 0.0, 0.0)}]
    return {"name": "s", "ground": ground, "forces": [{**force, "characteristic": characteristic}]}


def test_a_characteristic_is_drawn_and_its_points_are_dragged(qtbot, window):
    context = window.context
    points = [(-10.0, -50.0), (0.0, 0.0), (10.0, 100.0)]
    words = spring_with({"kind": "table", "points": points, "interpolation": "linear"})
    context.apply("Add system", lambda project: project.with_(systems=(build(SystemSpec, words),)))
    path = ("systems", 0, "forces", 0)
    context.selection.select(path)
    settle(qtbot, 200)
    (curve,) = window.docks.panels["properties"].form.curves
    plot = curve.plot.plot
    assert (plot.x.label, plot.y.label) == ("Length [mm]", "Force [N]")
    assert plot.series[0].y[-1] == pytest.approx(130.0)  # straight on beyond its end
    target = curve.plot.movable[2]
    target.setPos(8.0, 40.0)  # as the mouse does, which also lets it go
    target.sigPositionChangeFinished.emit(target)
    settle(qtbot, 100)
    x, f = value_at(context.project, (*path, "characteristic")).points[2]
    assert (x, f) == pytest.approx((8.0, 40.0), abs=0.5)
    # Not beyond its neighbour: x stays.
    target = curve.plot.movable[2]
    target.setPos(-5.0, 60.0)
    target.sigPositionChangeFinished.emit(target)
    settle(qtbot, 100)
    assert value_at(context.project, (*path, "characteristic")).points[2] == pytest.approx((x, 60.0), abs=0.5)
    context.document.undo()
    settle(qtbot, 100)
    assert curve.plot.plot.series[1].y[2] == f
    # Loading and unloading are two curves with their own points, a formula has none.
    both = {
        "kind": "two_tables",
        "loading": [(-1.0, -1.0), (1.0, 2.0)],
        "unloading": [(-1.0, -2.0), (1.0, 1.0)],
    }
    context.apply("Two", edits.set_value((*path, "characteristic"), both))
    settle(qtbot, 200)
    (curve,) = window.docks.panels["properties"].form.curves
    assert [s.name for s in curve.plot.plot.series] == ["loading", "unloading", "", ""]
    target = curve.plot.movable[3]
    target.setPos(1.0, 0.5)
    target.sigPositionChangeFinished.emit(target)
    settle(qtbot, 100)
    assert value_at(context.project, (*path, "characteristic")).unloading[1] == pytest.approx(
        (1.0, 0.5), abs=0.02
    )
    context.apply(
        "Formula", edits.set_value((*path, "characteristic"), {"kind": "formula", "formula": "2*x"})
    )
    settle(qtbot, 200)
    (curve,) = window.docks.panels["properties"].form.curves
    assert not curve.plot.movable and len(curve.plot.plot.series) == 1


def test_a_point_is_dragged_by_the_mouse(qtbot, window, screenshots):
    context = window.context
    words = spring_with({"kind": "table", "points": [(-1.0, -50.0), (0.0, 0.0), (1.0, 100.0)]})
    context.apply("Add system", lambda project: project.with_(systems=(build(SystemSpec, words),)))
    context.selection.select(("systems", 0, "forces", 0))
    settle(qtbot, 300)
    (curve,) = window.docks.panels["properties"].form.curves
    area = curve
    while not hasattr(area, "ensureWidgetVisible"):
        area = area.parentWidget()
    area.ensureWidgetVisible(curve)
    settle(qtbot, 200)
    assert window.grab().save(str(screenshots / "characteristic.png"))
    view = curve.plot.widget
    start = view.mapFromScene(*curve.plot.places_of(curve.plot.plot.series[1])[1].tolist())
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(view.viewport(), left, pos=start)
    for step in range(1, 6):
        place = QPointF(start) + QPointF(0.0, -4.0 * step)
        event = QMouseEvent(
            QEvent.Type.MouseMove, place, view.viewport().mapToGlobal(place), Qt.MouseButton.NoButton, left,
            Qt.KeyboardModifier.NoModifier,
        )  # fmt: skip
        QApplication.sendEvent(view.viewport(), event)
        qtbot.wait(20)
    qtbot.mouseRelease(view.viewport(), left, pos=start + QPoint(0, -20))
    settle(qtbot, 200)
    moved = value_at(context.project, ("systems", 0, "forces", 0, "characteristic")).points[1]
    assert abs(moved[0]) < 0.1 and 10.0 < moved[1] < 100.0
