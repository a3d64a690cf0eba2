"""The gaps of a joint in the real window: histogram, limits that are dragged, advice, rows of picked faces."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from faying.project import edits
from faying_app.selection import PickedFace
from support.plate_deck import write_plate_deck
from support.windows import drop, settle, trigger, wait_idle

pytestmark = pytest.mark.window
JOINT = ("bodies", 0, "joints", 0)


def test_limits_close_gaps_and_rows_follow_picks(qtbot, window, tmp_path):
    drop(window, write_plate_deck(tmp_path / "plates.inp", gap=0.05))
    qtbot.waitUntil(lambda: bool(window.context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    context = window.context
    words = {
        "name": "lap",
        "master": {"kind": "deck_surface", "name": "UPPER"},
        "slave": {"kind": "deck_surface", "name": "LOWER"},
    }
    context.document.apply("Add joint", edits.add_joint("plates", words))
    context.selection.select(JOINT)
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    panel = window.docks.panels["pairs"]
    window.show_panel("pairs")
    qtbot.mouseClick(panel.gaps_button, Qt.MouseButton.LeftButton)
    settle(qtbot, 150)
    assert panel.gaps.isVisible()
    pairs = context.computed.pairs("plates", "lap")
    assert panel.gaps.bars.opts["height"].sum() == len(pairs)
    assert np.allclose(pairs.initial_gaps, 0.05)
    # Let go of the limit beyond the gaps: they close; the pairs are found again at once.
    steps, line = len(context.document.history), panel.gaps.limits["close_gaps_below"]
    line.setValue(0.055)
    line.sigPositionChangeFinished.emit(line)
    settle(qtbot)
    wait_idle(qtbot, window)
    assert context.value(JOINT).search.close_gaps_below == pytest.approx(0.055)
    assert len(context.document.history) == steps + 1
    assert np.all(context.computed.pairs("plates", "lap").initial_gaps == 0.0)
    trigger(qtbot, window, "undo")
    settle(qtbot)
    assert np.allclose(context.computed.pairs("plates", "lap").initial_gaps, 0.05)
    # Only rows of the picked face: none of the top, all of the joint's own side.
    skin = context.computed.skin("plates")
    panel.only_picked.setChecked(True)
    for height, rows in ((skin.centroids[:, 2].max(), 0), (0.0, len(pairs))):
        facet = int(np.argmin(np.abs(skin.centroids[:, 2] - height) + (skin.normals[:, 2] < 0.9)))
        element = int(context.computed.model("plates").element_ids[0])
        context.selection.pick_face(PickedFace("plates", facet, element, 1))
        settle(qtbot)
        assert panel.model.rowCount() == rows
    panel.only_picked.setChecked(False)
    assert panel.model.rowCount() == len(pairs) + len(pairs.unpaired_nodes)
