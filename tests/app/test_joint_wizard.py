"""Joints from two faces in the real window: clicked, recognised, proposed, swung, made in one step, undone."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.project import edits
from support.windows import plates_in, settle, trigger

pytestmark = pytest.mark.window
SYSTEM = ("systems", 0)


def a_shaft_in_a_wheel(qtbot, window):
    """A wheel with a bore, a shaft beside it, and a block: rigid parts by their shapes."""
    context = window.context
    trigger(qtbot, window, "add_system")
    cylinder = {"kind": "cylinder", "start": (0.0, 0.0, -5.0), "end": (0.0, 0.0, 5.0)}
    parts = [
        {"name": "wheel", "shape": {**cylinder, "radius": 30.0, "bore": 8.0}},
        {"name": "shaft", "shape": {**cylinder, "start": (0.0, 0.0, 0.0), "end": (0.0, 0.0, 80.0), "radius": 8.0},
         "placement": {"position": (60.0, 0.0, 0.0)}},
        {"name": "block", "shape": {"kind": "box", "edges": (40.0, 20.0, 10.0)},
         "placement": {"position": (0.0, -70.0, 0.0)}},
    ]  # fmt: skip
    for part in parts:
        words = {"kind": "rigid_shape", "density": 7.85e-9, **part}
        context.apply("Add part", edits.add_part("system", words))
    context.selection.select(SYSTEM)
    settle(qtbot, 200)
    window.presenter.scene.view("iso")
    settle(qtbot, 200)


def click(qtbot, window, place):
    """Click with the mouse where a place (3,) in space is drawn."""
    view, scene = window.viewport.view, window.presenter.scene
    x, y = scene.pixels(np.array([place], float))[0] / view.devicePixelRatioF()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(view.height() - 1 - y)))
    settle(qtbot)


def test_a_shaft_turns_in_the_wheel_that_was_clicked(qtbot, window, manual_picture):
    context = window.context
    a_shaft_in_a_wheel(qtbot, window)
    before, steps = context.project, len(context.document.history)
    trigger(qtbot, window, "add_joint_from_faces")
    dialog = window.joint_wizard.dialog
    assert dialog is not None and dialog.isVisible() and not dialog.add.isEnabled()
    assert "Click a face" in dialog.told.text()
    bottom_of_view = window.viewport.mapToGlobal(window.viewport.rect().bottomLeft()).y()
    bottom = window.mapToGlobal(window.rect().bottomLeft()).y()
    place = dialog.frameGeometry()
    assert place.bottom() < bottom and place.center().y() > 0.5 * bottom_of_view, (place, bottom)
    window.presenter.scene.view("iso")
    # The bore's far wall is seen from above; the near side of the shaft.
    towards = window.presenter.scene.stage.sheet().axes[2] * [1.0, 1.0, 0.0]
    towards /= np.linalg.norm(towards)
    click(qtbot, window, -8.0 * towards + [0.0, 0.0, 4.0])
    assert dialog.sides[0].currentText().startswith("wheel: hole, radius 8 mm about z"), dialog.told.text()
    click(qtbot, window, np.array([60.0, 0.0, 40.0]) + 8.0 * towards)
    assert dialog.sides[1].currentText().startswith("shaft: shaft, radius 8 mm about z"), dialog.told.text()
    assert dialog.kind.currentText() == "Cylindrical" and dialog.name.text() == "wheel to shaft"
    assert "Move shaft to wheel: " in dialog.together.text() and dialog.together.isChecked()
    assert dialog.add.isEnabled()
    # 18 of three parts less 4 of the joint; what nothing holds has one button.
    assert dialog.motions.heading.text() == "14 motions are left:"
    names = [button.text() for button in dialog.motions.buttons]
    assert names[:2] == ["shaft turns about z", "shaft slides along z"]
    assert len(names) == 3 and names[2] == "wheel slides along x"
    dialog.move(window.pos() + QPoint(328, 70))  # beside what was clicked
    manual_picture(window, "joint-from-faces", dialog)
    dialog.kind.setCurrentText("Revolute")
    dialog.kind.activated.emit(dialog.kind.currentIndex())
    dialog.name.setText("bearing")
    dialog.name.textEdited.emit("bearing")
    assert context.project == before
    dialog.add.click()
    settle(qtbot, 200)
    assert len(context.document.history) == steps + 1
    system = context.project.systems[0]
    (joint,) = system.constraints
    assert (joint.kind, joint.name, joint.marker_names()) == (
        "revolute", "bearing", ("wheel.bearing", "shaft.bearing"),
    )  # fmt: skip
    assert context.value(context.entity) == joint
    at = context.computed.assembled(system)
    one, two = (at.system.motion(name, at.position) for name in joint.marker_names())
    assert one.position == pytest.approx(two.position, abs=1e-9)
    assert abs(one.axes[2, 2]) == pytest.approx(1.0)
    # The shaft was moved as a whole; the wheel stays where it was.
    assert system.parts[0].placement == before.systems[0].parts[0].placement and not at.changes
    what_is_left_swings(qtbot, window)
    context.document.undo()
    settle(qtbot)
    assert context.project == before
    the_block_slides_on_ground(qtbot, window, dialog)
    what_is_no_face_says_what_to_do(qtbot, window, dialog)
    dialog.reject()
    settle(qtbot)
    assert context.view.values.pointer == "select" and window.joint_wizard.dialog is None
    assert not window.problems


def what_is_left_swings(qtbot, window):
    """The button of a motion moves the parts in the view, to and fro, and leaves them where they start."""
    scene = window.presenter.scene
    window.context.selection.select(SYSTEM)
    settle(qtbot, 150)
    motions = window.docks.panels["properties"].strip.motions
    button = next(b for b in motions.buttons if b.text() == "shaft turns about z")
    start = scene.content.poses[1]
    button.click()
    qtbot.waitUntil(lambda: scene.content.frame is not None, timeout=3000)
    qtbot.waitUntil(lambda: not np.allclose(scene.content.poses[1][1], start[1], atol=0.1), timeout=3000)
    turned = scene.content.poses[1]
    assert turned[1][2, 2] == pytest.approx(1.0) and turned[0] == pytest.approx(start[0], abs=1e-9)
    window.context.selection.select((*SYSTEM, "parts", 0))  # ends it before its time
    assert window.swinging.motion is None
    assert scene.content.frame is None and scene.content.poses[1] is start


def the_block_slides_on_ground(qtbot, window, dialog):
    """One face, and ground as the other side: the first marker on ground has the axes of the face."""
    context = window.context
    context.selection.select(SYSTEM)
    settle(qtbot)
    assert not dialog.to_ground.isEnabled()
    click(qtbot, window, (0.0, -70.0, 5.0))
    dialog.to_ground.click()
    assert dialog.sides[0].currentText().startswith("ground: flat face, normal z"), dialog.told.text()
    assert dialog.name.text() == "block to ground" and dialog.kind.currentText() == "Planar"
    assert not dialog.together.isVisible()
    dialog.kind.setCurrentText("Translational")
    dialog.kind.activated.emit(dialog.kind.currentIndex())
    assert dialog.motions.buttons[0].text() == "block slides along x"
    dialog.add.click()
    settle(qtbot)
    (joint,) = context.project.systems[0].constraints
    assert joint.marker_names() == ("ground.block to ground", "block.block to ground")
    assert not context.computed.assembled(context.project.systems[0]).changes
    context.document.undo()
    settle(qtbot)


def what_is_no_face_says_what_to_do(qtbot, window, dialog):
    """A part by its inertia has no faces; two faces of one part make no joint; Esc ends it."""
    context = window.context
    context.apply("Add part", edits.add_part("system", {
        "kind": "rigid", "name": "weight", "mass": 1e-3, "moments_of_inertia": (1.0, 1.0, 1.0),
        "placement": {"position": (0.0, 120.0, 0.0)},
    }))  # fmt: skip
    settle(qtbot, 200)
    window.presenter.scene.view("+z")
    settle(qtbot)
    click(qtbot, window, (0.0, 120.0, 40.0))
    assert "box of its inertia" in dialog.told.text() and "Give it looks" in dialog.told.text()
    click(qtbot, window, (20.0, 0.0, 5.0))
    assert dialog.sides[0].currentText().startswith("wheel: flat face, normal z")
    click(qtbot, window, (-20.0, 0.0, 5.0))
    assert not dialog.sides[1].isEnabled() and not dialog.add.isEnabled()
    click(qtbot, window, (10.0, -68.0, 5.0))
    assert dialog.kind.currentText() == "Planar" and dialog.add.isEnabled()
    # The edge nearest to the click is offered, too.
    assert "edge of 40 mm along x" in [dialog.sides[1].itemText(k) for k in range(2)][1]
    context.document.undo()


@pytest.mark.slow  # imports a deck
def test_a_part_that_deforms_gets_an_interface_node_where_it_has_none(qtbot, window, tmp_path):
    """Two plates as one flexible part: a face without a node is coupled to one, in the same step."""
    plates_in(qtbot, window, tmp_path, joint=False)
    context = window.context
    context.apply("Add", edits.add_system({"name": "system"}))
    context.apply("Add", edits.add_part("system", {"kind": "flexible", "name": "plates", "body": "plates"}))
    context.apply("Add", edits.add_part("system", {
        "kind": "rigid_shape", "name": "stand", "density": 7.85e-9,
        "shape": {"kind": "box", "edges": (20.0, 20.0, 20.0)}, "placement": {"position": (0.0, -40.0, 0.0)},
    }))  # fmt: skip
    context.selection.select(SYSTEM)
    settle(qtbot, 300)
    trigger(qtbot, window, "add_joint_from_faces")
    dialog = window.joint_wizard.dialog
    content = window.presenter.scene.content
    facets = content.facets_of_part("plates")
    top = max(facets, key=lambda k: content.skin_normals[k, 2] + 1e-3 * positions_of(content, k)[2])
    window.presenter.scene.view("+z")
    settle(qtbot)
    click(qtbot, window, positions_of(content, top))
    assert dialog.sides[0].currentText().startswith("plates: flat face, normal z"), dialog.told.text()
    click(qtbot, window, (2.0, -38.0, 10.0))
    assert "'plates' gets an interface node coupled to the face" in dialog.told.text()
    steps = len(context.document.history)
    dialog.add.click()
    settle(qtbot, 300)
    assert len(context.document.history) == steps + 1
    (coupling,) = context.project.bodies[0].couplings
    marker = context.project.systems[0].parts[0].markers[-1]
    assert marker.interface == coupling.name == "joint plates" and coupling.behaviour == "distributing"
    # In the middle of the upper plate's top, 40 × 10, where the model now has a node.
    assert coupling.node == pytest.approx((20.0, 5.0, 2.0), abs=1e-6)
    assert [i.name for i in context.project.bodies[0].interfaces][-1] == "joint plates"
    context.document.undo()
    settle(qtbot, 300)
    assert context.project.bodies[0].couplings == ()
    window.presenter.scene.view("+z")
    settle(qtbot)
    # The end of the upper plate has the node “tip”.
    window.presenter.scene.view("+x")
    settle(qtbot)
    click(qtbot, window, (40.0, 2.0, 1.0))
    click(qtbot, window, (10.0, -45.0, 5.0))
    assert dialog.add.isEnabled(), dialog.told.text()
    dialog.add.click()
    marker = context.project.systems[0].parts[0].markers[-1]
    assert (marker.name, marker.interface) == ("plates to stand", "tip")
    assert not window.problems


def positions_of(content, facet):
    """Return the middle (3,) of a facet of the picture."""
    block = content.skin.blocks[0]
    return content.positions[block.connectivity[facet]].mean(axis=0)
