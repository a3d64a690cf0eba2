"""Adding a bolt at a picked shank in the real window, and taking it back."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.fem.writers import write_model
from support.shanks import LENGTH, shank
from support.windows import drop, settle, trigger, wait_idle

pytestmark = pytest.mark.window


def test_a_picked_shank_becomes_a_bolt_with_a_preload_case(qtbot, window, tmp_path):
    write_model(shank("hex8_incompatible", turned=False, roundness=1.0), tmp_path / "shank.inp")
    drop(window, tmp_path / "shank.inp")
    context, view = window.context, window.viewport.view
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    before = context.project
    context.view.turn("+x")
    settle(qtbot, 200)
    skin = context.computed.skin("shank")
    facet = int(np.argmax(skin.normals[:, 0] - abs(skin.centroids[:, 2] - 0.5 * LENGTH) / LENGTH))
    x, y = window.presenter.scene.pixels(skin.centroids[[facet]])[0] / view.devicePixelRatioF()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(view.height() - 1 - y)))
    settle(qtbot, 100)
    assert context.selection.faces
    trigger(qtbot, window, "add_bolt")
    settle(qtbot)
    wait_idle(qtbot, window)
    body = context.project.bodies[0]
    (bolt,) = body.bolts
    (case,) = body.preloads
    assert (bolt.name, case.name, case.loads[0].bolt) == ("bolt 1", "tighten bolt 1", "bolt 1")
    assert context.entity == ("bodies", 0, "bolts", 0)
    (cut,) = context.computed.model("shank").bolts
    # Five layers lie between the ends: the cut is beside the middle one.
    assert context.computed.model("shank").nodes[cut.centres[0], 2] == pytest.approx(
        0.5 * LENGTH, abs=0.11 * LENGTH
    )
    trigger(qtbot, window, "undo")
    settle(qtbot)
    assert context.project == before
