"""Frames have one number everywhere: that of the form and of the command line, from 0."""

import pytest

from faying.project import edits
from faying.project.stage import target_of
from faying.results.frame_axes import frame_axis
from faying_app.scene.visuals.caption import caption_text
from support.windows import plates_in, settle, trigger, wait_for_frames

pytestmark = pytest.mark.window


def test_modes_count_from_one_and_frames_from_zero():
    assert frame_axis("time").number_text(0, 24) == "frame 0 of 23"
    assert frame_axis("load").number_text(2, 3) == "frame 2 of 2"
    assert frame_axis("mode").number_text(0, 10) == "mode 1 of 10"


def test_the_player_and_the_picture_name_a_frame_as_forms_do(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    context = window.context
    context.apply("Three frames", edits.set_value(("analyses", 0, "load_steps"), 3))
    window.runner.run("Run", [target_of(context.project.analyses[0])], context.project)
    context.selection.select(("analyses", 0))
    wait_for_frames(qtbot, window)
    trigger(qtbot, window, "correct_frame")
    settle(qtbot)
    (frame,) = context.project.analyses[-1].frames  # the number that the form has
    window.runner.cancel()
    shown = context.view.values.frame
    assert frame == shown
    context.selection.select(("analyses", 0))
    settle(qtbot, 300)
    assert f"(frame {shown} of " in window.time_bar.label.text(), window.time_bar.label.text()
    assert f"frame {shown} of " in caption_text(window.presenter.scene.content, 200)
