"""Correcting the shown frame on the FE model, in the real window with its worker."""

import numpy as np
import pytest

from faying.results.fields import fields
from faying_app.forms.project_host import ProjectFormHost
from support.pictures import SIZES
from support.windows import choose, settle, trigger, wait_for_frames, wait_idle

pytestmark = pytest.mark.window
TWIST = ("analyses", 1)


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_the_shown_frame_is_corrected_and_shown(qtbot, results_window, shoot):
    window, context = results_window, results_window.context
    context.selection.select(TWIST)
    settle(qtbot)
    context.view.set(frame=1, field="pressure")
    assert "frame 1 of “twist”" in window.menus.actions["correct_frame"].text(context)
    before = window.presenter.scene.content.frame.values.copy()
    trigger(qtbot, window, "correct_frame")
    wait_idle(qtbot, window)
    wait_for_frames(qtbot, window)

    made = context.project.analyses[-1]
    assert (made.kind, made.corrects, made.frames) == ("fe_correction", "twist", (1,))
    assert context.n_frames == 1 and window.presenter.frames.values[0] == pytest.approx(2 / 3)
    frame = window.presenter.scene.content.frame
    assert frame.field.title == "Pressure"
    assert np.nanmax(np.abs(frame.values - before)) > 0.01 * np.nanmax(before)
    # The field carries the force that the analysis found.
    pressure = fields["pressure"]().evaluate(window.presenter.field_context, "lap", 0)
    force = window.presenter.frames.curve("lap normal force")[0]
    assert pressure @ context.computed.pairs("plates", "lap").weights == pytest.approx(force, rel=1e-6)

    # Beside the frame that it corrects.
    context.view.set(compare="twist")
    settle(qtbot, 200)
    assert window.comparison.viewport.scene.content.frame.number == 1
    for theme, size in zip(("light", "dark"), SIZES, strict=True):
        window.choose_theme(theme)
        window.resize(*size)
        settle(qtbot, 200)
        window.docks.arrange()
        window.show_panel("properties")
        shoot(window, "11-correction", theme, size)


def test_all_frames_are_corrected(qtbot, results_window):
    window, context = results_window, results_window.context
    context.selection.select(TWIST)
    settle(qtbot)
    count = context.n_frames
    assert count > 1 and "all frames of “twist”" in window.menus.actions["correct_all_frames"].text(context)
    trigger(qtbot, window, "correct_all_frames")
    wait_idle(qtbot, window)
    wait_for_frames(qtbot, window)
    assert context.project.analyses[-1].frames == () and context.n_frames == count


def test_the_form_offers_what_can_be_corrected(qtbot, results_window):
    window, context = results_window, results_window.context
    context.selection.select(("bodies", 0))
    choose(qtbot, window, "add_analysis", "Correction on the FE model")
    settle(qtbot)
    number = len(context.project.analyses) - 1
    assert context.project.analyses[number].corrects == "shake"
    host = ProjectFormHost(context)
    assert host.names("analysis", ("analyses", number, "corrects")) == ["press", "twist", "shake"]
    # A correction corrects no correction.
    assert window.menus.actions["correct_frame"].why_disabled(context).startswith("Select a static")
