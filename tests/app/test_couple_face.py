"""Coupling a picked face in the real window, until the body can be held there."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from support.windows import choose, plates_in, settle, trigger, view_pixels, wait_idle

pytestmark = pytest.mark.window


def test_a_picked_face_becomes_an_interface(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context, view = window.context, window.viewport.view
    context.view.turn("+x")
    settle(qtbot, 200)
    skin = context.computed.skin("plates")
    upper = np.flatnonzero((skin.normals[:, 0] > 0.9) & (skin.centroids[:, 2] > 0.0))
    x, y = window.presenter.scene.pixels(skin.centroids[[upper[0]]])[0] / view.devicePixelRatioF()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(view.height() - 1 - y)))
    settle(qtbot, 100)
    before, interfaces = view_pixels(window).astype(int), len(context.project.bodies[0].interfaces)
    pose = window.presenter.scene.camera
    choose(qtbot, window, "couple_face", "Rigid")
    settle(qtbot)
    wait_idle(qtbot, window)
    assert window.presenter.scene.camera.position == pytest.approx(
        pose.position
    )  # read again, looked at as before
    body = context.project.bodies[0]
    assert [c.name for c in body.couplings] == ["coupling 1"]
    assert (len(body.interfaces), body.interfaces[-1].node_set) == (interfaces + 1, "coupling 1")
    model = context.computed.model("plates")
    added = model.couplings[-1]
    assert model.nodes[added.reference] == pytest.approx([40.0, 5.0, 1.0])
    assert np.allclose(model.nodes[added.nodes][:, 0], 40.0)
    assert context.entity == ("bodies", 0, "couplings", 0)
    assert np.abs(view_pixels(window).astype(int) - before).max() > 40
    trigger(qtbot, window, "undo")
    settle(qtbot)
    assert context.project.bodies[0].couplings == ()
    assert len(context.project.bodies[0].interfaces) == interfaces


def test_a_surface_of_the_deck_does_instead_of_a_picked_face(qtbot, window, tmp_path):
    """What cannot be clicked, a shank in its hole, is chosen by name in the tree."""
    plates_in(qtbot, window, tmp_path, joint=False)
    context = window.context
    for kind in ("couple_face", "add_support", "add_bolt"):
        assert not window.menus.qt_actions[kind].isEnabled()
        assert "Not now: Click a face in the 3D view, or" in window.menus.qt_actions[kind].toolTip()
    chosen = {"kind": "deck_surface", "name": "UPPER"}
    for kind, entry in (("couple_face", "Rigid"), ("add_support", "Frictionless"), ("add_load", "Pressure")):
        context.selection.select(("bodies", 0, "model", "deck_surface", "UPPER"))
        choose(qtbot, window, kind, entry)
        wait_idle(qtbot, window)
    body = context.project.bodies[0]
    for made in (body.couplings[0], body.supports[0], body.loads[0]):
        assert made.surface.model_dump() == chosen
    assert (body.couplings[0].name, body.interfaces[-2].node_set) == ("UPPER node", "UPPER node")
    context.selection.select(("bodies", 0, "model", "deck_surface", "UPPER"))
    trigger(qtbot, window, "add_bolt")
    assert not context.project.bodies[0].bolts  # flat: it goes round no axis, which is said
