"""The player's slider and the opened joint in the real window; what is not possible says why."""

import pytest
from PySide6.QtCore import QPoint, Qt

from faying.project import edits
from support.windows import settle

pytestmark = pytest.mark.window


def test_a_click_on_the_slider_goes_to_its_frame_and_books_say_why_they_stay_closed(qtbot, results_window):
    window, context = results_window, results_window.context
    slider, opened = window.time_bar.slider, window.docks.panels["display"].opened
    for share in (0.75, 0.25, 0.5):
        qtbot.mouseClick(
            slider, Qt.MouseButton.LeftButton, pos=QPoint(round(share * slider.width()), slider.height() // 2)
        )
        settle(qtbot)
        assert context.view.values.frame == pytest.approx(share * 40, abs=1.5)
    context.view.set(field="pressure")
    settle(qtbot)
    assert opened.isEnabled() and "Not now" not in opened.toolTip()
    context.view.set(field="displacement")
    settle(qtbot)
    assert not opened.isEnabled() and "field of the joint" in opened.toolTip()
    context.apply("Add", edits.add_system({"name": "engine"}))
    context.selection.select(("systems", 0))
    settle(qtbot)
    assert not opened.isEnabled() and "parts of a system" in opened.toolTip()


def test_shapes_swing_at_a_speed_of_their_own(qtbot, results_window):
    """How fast frames of a run are played says nothing of a mode: at 100 a second it swung in eight pictures."""
    window, view = results_window, results_window.context.view
    view.set(frames_per_second=100.0)
    settle(qtbot)
    assert window.time_bar.speed.text() == "100 fps"
    window.context.selection.select(("bodies", 0, "joint_modes"))
    qtbot.waitUntil(lambda: window.presenter.swings, timeout=20000)
    settle(qtbot)
    assert window.time_bar.speed.text() == "1.6 s"
    assert 1000.0 * view.values.swing_seconds / window.player._interval() >= 40.0  # pictures of a swing
    window.play("faster")
    settle(qtbot)
    assert window.time_bar.speed.text() == "0.8 s" and view.values.frames_per_second == 100.0
    window.time_bar.speed.setValue(0.1)
    assert view.values.swing_seconds == 0.4
    assert 1000.0 * view.values.swing_seconds / window.player._interval() >= 20.0
