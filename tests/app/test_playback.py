"""Playback: a loop is drawn once and painted from then on, edges are smooth at rest, and what is paused is true."""

import numpy as np
import pytest

from support.windows import settle

pytestmark = pytest.mark.window


def wait_answered(qtbot, window):
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=60000)
    settle(qtbot, 600)


class Watch:
    """Counts pictures that VTK draws and pictures that are painted, and tells which frames were drawn."""

    def __init__(self, window):
        self.drawn, self.painted, self.frames = 0, 0, []
        stage = window.viewport.scene.stage
        stage.renderer.AddObserver("StartEvent", lambda *_: self._draw(stage))
        window.viewport.view.drawn.connect(self._paint)

    def _draw(self, stage):
        self.drawn += 1
        self.frames.append(stage.content.frame.number)

    def _paint(self):
        self.painted += 1


@pytest.mark.slow  # twenty pictures of a swing at the speed that is asked for
def test_a_loop_is_drawn_once_and_painted_from_then_on(qtbot, smooth_edges, results_window):
    window, context = results_window, results_window.context
    view = window.viewport.view
    if not hasattr(view, "finished"):
        pytest.skip("a graphics card draws here")
    window.resize(800, 560)  # small pictures are drawn quickly
    settle(qtbot, 100)
    context.view.set(field="displacement", frames_per_second=100.0, frame=0)
    wait_answered(qtbot, window)
    assert view.render_window.GetMultiSamples() == 4  # smooth edges at rest
    watch = Watch(window)
    context.view.set_playing(True)
    qtbot.waitUntil(lambda: len(view.finished) == 41, timeout=60000)
    assert view.render_window.GetMultiSamples() == 0
    before, painted = watch.drawn, watch.painted
    qtbot.waitUntil(lambda: watch.painted > painted + 50, timeout=60000)
    assert watch.drawn == before  # a whole round and more, and nothing drawn
    # The pictures follow each other as the frames do.
    shown = view.finished.find(window.viewport.scene.stage.look, (context.view.values.frame, 0.0))[1]
    assert view._picture.cacheKey() == shown.cacheKey()
    # Other colours, and another point of view, are redrawn.
    context.view.set(colour_map="cividis")
    qtbot.waitUntil(lambda: watch.drawn > before + 3, timeout=60000)
    qtbot.waitUntil(lambda: len(view.finished) == 41, timeout=60000)
    before = watch.drawn
    window.viewport.scene.view("+y")
    qtbot.waitUntil(lambda: watch.drawn > before + 3, timeout=60000)
    qtbot.waitUntil(lambda: len(view.finished) == 41, timeout=60000)
    settle(qtbot, 60)
    # What is paused is the frame that the bar tells, with all its values.
    context.view.set_playing(False)
    settle(qtbot, 600)
    frame = window.presenter.scene.content.frame
    assert frame.number == context.view.values.frame and frame.is_whole
    assert window.viewport.scene.stage.played is None
    assert view.render_window.GetMultiSamples() == 4
    np.testing.assert_allclose(
        frame.positions - window.presenter.scene.content.model.nodes,
        window.presenter.scale * window.presenter.field_context.displacement(frame.number),
        atol=1e-12,
    )
    # A mode swings at so few angles that it is a loop as well, at a speed of its own.
    context.selection.select(("bodies", 0, "joint_modes"))
    wait_answered(qtbot, window)
    assert window.time_bar.speed.text() == "1.6 s" and window.player._interval() * 48 <= 1600
    context.view.set_playing(True)
    qtbot.waitUntil(lambda: len({instant[1] for instant in view.finished._pictures}) >= 20, timeout=60000)
    angles = {instant[1] for instant in view.finished._pictures}
    assert len(angles) >= 20 and all(
        abs(a * 48 / (2 * np.pi) - round(a * 48 / (2 * np.pi))) < 1e-6 for a in angles
    )
    context.view.set_playing(False)
