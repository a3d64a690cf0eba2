"""Adding a bolt at a picked shank in the real window, and taking it back."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.fem.writers import write_model
from faying.project import edits
from support.shanks import LENGTH, RADIUS, shank
from support.windows import drop, settle, trigger, wait_idle

pytestmark = pytest.mark.window


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_a_picked_shank_becomes_a_bolt_with_a_preload_case(qtbot, window, tmp_path, shoot):
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
    context.selection.measure_faces()  # Measure ▸ Radius of the picked face
    (mark,) = window.viewport.overlay.marks
    assert mark.words.startswith(f"radius {RADIUS:.5g} mm, diameter {2 * RADIUS:.5g} mm")
    trigger(qtbot, window, "add_bolt")
    settle(qtbot)
    wait_idle(qtbot, window)
    body = context.project.bodies[0]
    (bolt,) = body.bolts
    (case,) = body.preloads
    assert (bolt.name, case.name, case.loads[0].bolt) == ("bolt 1", "bolts", "bolt 1")
    assert context.entity == ("bodies", 0, "bolts", 0)
    (cut,) = context.computed.model("shank").bolts
    # Five layers lie between the ends: the cut is beside the middle one.
    assert context.computed.model("shank").nodes[cut.centres[0], 2] == pytest.approx(
        0.5 * LENGTH, abs=0.11 * LENGTH
    )
    first, second = arrows(window)
    assert np.allclose(first.vector, np.negative(second.vector)) and second.text == "bolt 1"
    force = ("bodies", 0, "preloads", 0, "loads", 0, "force")
    context.apply("Tighten", edits.set_value(force, 500.0))
    settle(qtbot)
    assert arrows(window)[1].text == "bolt 1: 500 N"
    seen = {}
    for theme in ("light", "dark"):
        window.choose_theme(theme)
        for shown in (True, False):
            context.view.set(symbols=shown)
            seen[shown] = shoot(window, f"bolt-symbols-{shown}", theme, (1280, 800))
        changed = np.argwhere(np.abs(seen[True] - seen[False]).max(axis=2) > 60)
        ratio = view.devicePixelRatioF()
        x, y = window.presenter.scene.pixels(context.computed.model("shank").nodes[[first.node]])[0] / ratio
        middle = np.array([view.height() - 1 - y, x])
        # Both arrows end at the cut, so what they cover lies round it, on either side along the shank (upwards here).
        assert np.linalg.norm(np.median(changed, axis=0) - middle) < 60
        assert (changed[:, 0] < middle[0] - 20).any() and (changed[:, 0] > middle[0] + 20).any()
    trigger(qtbot, window, "undo")
    trigger(qtbot, window, "undo")
    settle(qtbot)
    assert context.project == before


def arrows(window):
    """Return the loads that the view draws."""
    return window.presenter.scene.content.symbols.loads
