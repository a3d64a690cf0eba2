"""Checking a mesh in the real window: findings, their places in 3D, the histogram of quality."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from support.plate_deck import write_plate_deck
from support.windows import drop, settle, trigger, view_pixels, wait_idle

pytestmark = pytest.mark.window


def test_findings_are_shown_where_they_are(qtbot, window, tmp_path):
    deck = write_plate_deck(tmp_path / "plates.inp", extra="*NODE\n9998, 20., 5., 8.")
    drop(window, deck)
    qtbot.waitUntil(lambda: bool(window.context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    trigger(qtbot, window, "check_mesh")
    panel = window.docks.panels["model_checks"]
    assert panel.waiting.isVisible() and not panel.findings  # the worker checks; the window goes on
    qtbot.waitUntil(lambda: bool(panel.findings), timeout=60000)
    found = {f.check: row for row, f in enumerate(panel.findings)}
    assert {"free_nodes", "duplicate_nodes"} <= set(found)
    assert panel.histogram.bars.opts["height"].sum() == sum(
        len(b.ids) for b in window.context.computed.model("plates").blocks
    )
    before = view_pixels(window).astype(int)
    item = panel.list.item(found["free_nodes"])
    place = panel.list.visualItemRect(item).center()
    qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, 200)
    marked = window.context.selection.marked
    assert marked.points.tolist() == [[20.0, 5.0, 8.0]]
    assert window.presenter.scene.content.marks.tolist() == [[20.0, 5.0, 8.0]]
    assert np.abs(view_pixels(window).astype(int) - before).max() > 60
    window.context.selection.mark(None)
    settle(qtbot, 200)
    assert len(window.presenter.scene.content.marks) == 0
