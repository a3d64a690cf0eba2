"""Multibody systems in the real window: built by menus, renamed, counted, undone."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton

from faying.multibody.constraints import constraints
from faying.multibody.forces import forces
from faying.project import edits
from faying_app.item_models.project_tree import DetailRole
from support.windows import choose, plates_in, settle, trigger, view_pixels

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


def test_an_empty_system_says_what_to_do(qtbot, window, screenshots):
    trigger(qtbot, window, "add_system")
    settle(qtbot, 300)
    caption = window.presenter.scene.visuals["caption"]
    assert "has no parts yet: Model ▸ System ▸ Add part" in caption._text.GetInput()
    assert window.grab().save(str(screenshots / "empty-system.png"))
    picture = view_pixels(window).astype(int)
    assert (np.abs(picture - picture[-1, -1]).max(axis=2) > 100).sum() > 200  # letters


def test_a_pendulum_is_built_by_the_menus_and_taken_back(qtbot, window):
    pendulum_in(qtbot, window)
    context = window.context
    assert not window.start_page.isVisible()
    system = context.project.systems[0]
    assert system.constraints[0].marker_names() == ("ground.marker", "part.marker")
    assert window.presenter.scene.content.title == ""
    assert system.gravity == (0.0, pytest.approx(-9810.0), 0.0)
    assert detail(window, SYSTEM) == "1 DOF"
    assert window.status.counts.text() == "1 degree of freedom"
    assert context.findings == []
    for _ in range(len(context.document.history)):
        context.document.undo()
    settle(qtbot)
    assert context.project.systems == ()
    assert window.start_page.isVisible()


@pytest.mark.slow  # seconds in the window, and not what decides alone
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


@pytest.mark.slow  # seconds in the window, and not what decides alone
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


@pytest.mark.slow  # seconds in the window, and not what decides alone
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
    from faying_app.item_models.properties import properties_of

    return properties_of(window.context, window.context.entity)


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


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_what_is_selected_is_highlighted_and_what_is_clicked_is_selected(qtbot, window):
    pendulum_in(qtbot, window)
    context, scene = window.context, window.presenter.scene
    context.view.turn("iso")
    context.selection.select((*SYSTEM, "constraints", 0))
    settle(qtbot)
    hinge = context.project.systems[0].constraints[0].name
    assert scene.content.highlight.member == ("constraint", hinge)
    names = scene.visuals["system_names"]
    scene.stage.write_over()
    drawn = [actor.GetInput() for actor in names._names if actor.GetVisibility()]
    assert drawn == [hinge, "part"]
    assert names._lines.GetMapper().GetInput().GetNumberOfLines() > 10
    # Click on the part, then on the sign of its hinge: the tree and the form follow.
    system, content = scene.content.system, scene.content
    places = [
        system.middles(content.poses, content.positions)[0],
        system.marker_poses(content.poses, content.positions)[0][system.constraints[0].markers[0]],
    ]
    for place, path in zip(places, ((*SYSTEM, "parts", 0), (*SYSTEM, "constraints", 0)), strict=True):
        x, y = scene.pixels(place[None])[0]
        ratio = window.viewport.devicePixelRatioF()
        where = QPoint(round(x / ratio), round((scene.size[1] - y) / ratio))
        qtbot.mouseClick(window.viewport.view, Qt.MouseButton.LeftButton, pos=where)
        settle(qtbot)
        assert context.entity == path
    assert window.docks.panels["project"].view.currentIndex().data() == hinge
    marker = (*SYSTEM, "parts", 0, "markers", 0)
    context.selection.select(marker)
    settle(qtbot)
    assert scene.content.highlight.member == ("marker", "part.marker")


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_the_course_of_a_drive_is_drawn_as_it_is_typed(qtbot, window):
    pendulum_in(qtbot, window)
    choose(qtbot, window, "add_constraint", constraints["prescribed_angle"].title)
    settle(qtbot)
    path = window.context.entity
    window.context.apply(
        "Formula", edits.set_value((*path, "time_history"), {"kind": "expression", "formula": "sin(2*pi*t)"})
    )
    settle(qtbot)
    form = window.docks.panels["properties"].form
    (history,) = form.curves
    x, y = history.plot.curves[0].getData()
    assert x[-1] == 1.0  # no run yet: one unit of time
    assert y == pytest.approx(np.sin(2 * np.pi * x), abs=1e-12)
    set_line(qtbot, window, "formula", "2*t")
    assert history.plot.curves[0].getData()[1][-1] == 2.0
    set_line(qtbot, window, "formula", "sqrt(0.5 - t)")
    assert history.plot.isHidden() and "has no value at t = 0.5" in history.problem.text()
    settle(qtbot, 600)
    assert any("has no value" in f.sentence for f in window.context.findings)
    assert not window.problems


def test_a_constraint_joins_the_selected_part_to_one_that_it_is_not_joined_to(qtbot, window):
    context = window.context
    trigger(qtbot, window, "add_system")
    choose(qtbot, window, "add_part", "Rigid part: Link from marker to marker")
    choose(qtbot, window, "add_constraint", "Revolute")
    context.selection.select(SYSTEM)
    choose(qtbot, window, "add_part", "Rigid part: Sphere")
    settle(qtbot)
    set_line(qtbot, window, "position", "100")
    choose(qtbot, window, "add_constraint", "Spherical")
    assert context.project.systems[0].constraints[-1].marker_names() == ("part.b", "part 2.centre of mass")
    context.selection.select((*SYSTEM, "parts", 1))
    choose(qtbot, window, "add_force", "Spring and damper")
    spring = context.project.systems[0].forces[-1]
    assert {name.partition(".")[0] for name in spring.marker_names()} == {"ground", "part 2"}
    assert spring.free_length_as_placed  # a new spring bears nothing where the parts are placed


def test_loads_act_on_parts_that_can_move(qtbot, window):
    context = window.context
    trigger(qtbot, window, "add_system")
    for kind in ("Box", "Cylinder"):
        context.selection.select(SYSTEM)
        choose(qtbot, window, "add_part", f"Rigid part: {kind}")
        settle(qtbot)
        # The box stands off; a second part would be placed beside it.
        set_line(qtbot, window, "position", "100" if kind == "Box" else "0")
    choose(qtbot, window, "add_constraint", "Fixed")  # of the selected cylinder
    held, moving = context.project.systems[0].constraints[0].marker_names()
    assert (held.partition(".")[0], moving) == ("ground", "part 2.centre of mass")
    context.selection.select(SYSTEM)
    choose(qtbot, window, "add_force", "Point force")
    assert context.project.systems[0].forces[-1].marker == "part.centre of mass"
    context.selection.select((*SYSTEM, "parts", 1))
    choose(qtbot, window, "add_force", "Point force")
    assert context.project.systems[0].forces[-1].marker == "part 2.centre of mass"
    # A frequency response's loads, too, and each at another marker.
    context.selection.select(SYSTEM)
    choose(qtbot, window, "add_analysis", "Frequency response of a system: system")
    for _ in range(2):
        settle(qtbot)
        form = window.docks.panels["properties"].form
        next(b for b in form.findChildren(QPushButton) if b.text() == "Add").click()
    loaded = [load.marker for load in context.project.analyses[0].loads]
    assert len(set(loaded)) == 2 and not any(name.startswith("ground.") for name in loaded)
