"""Decks of beams, rods and springs alone in the window: drawn, run, and shown with their displacements."""

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog

from support.line_decks import LINE_DECKS
from support.windows import trigger, view_pixels, wait_for_frames, wait_idle

pytestmark = pytest.mark.window


@pytest.mark.parametrize("deck", LINE_DECKS, ids=lambda deck: deck.name)
def test_a_deck_without_faces_opens_runs_and_is_drawn(qtbot, window, tmp_path, monkeypatch, deck):
    path = tmp_path / "deck.inp"
    path.write_text(deck.text)
    context = window.context
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(path), ""))
    trigger(qtbot, window, "import_deck")
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    assert context.computed.skin("deck").surface.n_facets == 0
    context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, 120)
    wait_for_frames(qtbot, window)
    context.view.set(frame=context.n_frames - 1)
    wait_idle(qtbot, window)
    field = window.time_bar.field
    field.setCurrentIndex(field.findData("displacement"))
    field.activated.emit(field.currentIndex())
    trigger(qtbot, window, "fit_view")
    wait_idle(qtbot, window)
    scene = window.presenter.scene
    shown = scene.content.frame.values[scene.content.model.node_row(deck.node)]
    assert shown == pytest.approx(np.linalg.norm(deck.displacement), rel=2e-3)
    drawn = view_pixels(window)
    for visual in ("beams", "springs"):
        scene.set_visible(visual, False)
    wait_idle(qtbot, window)
    changed = (drawn != view_pixels(window)).any(axis=-1).sum()
    assert changed > 300  # the lines were there, and nothing else has gone
    trigger(qtbot, window, "search_joints")
    wait_idle(qtbot, window)
