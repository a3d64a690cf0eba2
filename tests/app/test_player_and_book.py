"""The player's slider and the opened joint in the real window; what is not possible says why."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.project import edits
from faying_app.scene.frames import suggest_scale
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


def test_other_frames_are_played_by_the_clock_from_where_they_are(qtbot, results_window):
    """Another analysis was selected while one was played, and the player looked for a moment that it does not have."""
    player, context, view = results_window.player, results_window.context, results_window.context.view
    times = player.times
    assert len(times) == 41
    view.set(time_factor=1e-6, play_mode="loop", frame=38)
    view.set_playing(True)
    context.n_frames, player.times = 5, times[:5]
    view.set(frame=2)
    player.times = times[:5] + 1.0
    player._tick()
    assert view.playing and view.values.frame == 2
    # Frames that a run gets while it goes on leave the clock as it is.
    began = player._began
    context.n_frames, player.times = 6, np.append(player.times, 2.0)
    player._tick()
    assert player._began == began and view.values.frame == 2
    view.set_playing(False)


def test_the_clock_counts_seconds_in_every_unit_system(qtbot, results_window):
    window, values = results_window, results_window.presenter.frames.values
    assert window.player.times == pytest.approx(values)
    window.context.apply("Units", edits.set_value(("units",), "mm-kg-ms"))
    settle(qtbot)
    assert window.player.times == pytest.approx(values / 1000.0)


def test_the_scale_of_a_run_that_goes_on_is_suggested_anew_as_it_grows(qtbot, results_window):
    """It is a small movement in the first frames, and was enlarged as much until the end."""
    presenter, context = results_window.presenter, results_window.context
    content, whole = presenter.scene.content, presenter.field_context
    presenter.shown_frames = ("results", "a key", "growing")
    scales = []
    for count in (2, 3, 41):
        # Not by `show`, which would go back to the model.
        grown = replace(content, context=replace(whole, frames=FirstFrames(whole.frames, count)))
        presenter.scene.stage.content, context.n_frames = grown, count
        scales.append(presenter._suggest())
    assert scales[0] == scales[1]  # not with each frame
    assert scales[2] == suggest_scale(whole, content.size) != scales[0]


class FirstFrames:
    """The first frames of a run that goes on."""

    def __init__(self, frames, count):
        self._frames, self.n_frames = frames, count

    def __getattr__(self, name):
        return getattr(self._frames, name)
