"""Correcting the shown frame on the FE model, in the real window with its worker."""

import numpy as np
import pytest

from faying.results.fields import fields
from faying_app.forms.project_host import ProjectFormHost
from faying_app.scene.visuals.legend import legend_text
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


def test_true_fields_are_a_switch(qtbot, results_window, shoot):
    """They are computed when switched on, shown with the legend's word, undone, and found again at once."""
    window, context = results_window, results_window.context
    context.selection.select(TWIST)
    settle(qtbot)
    count, bar = context.n_frames, window.time_bar
    context.view.set(frame=count - 1, field="pressure", limits="frame")
    settle(qtbot, 100)
    scene = window.presenter.scene
    assert bar.true_fields.isVisible() and not bar.true_fields.isChecked()
    assert "about" in bar.true_fields.toolTip() and legend_text(scene.content, scene.theme).remark.endswith(
        "reduced body"
    )
    before = scene.content.frame.values.copy()
    bar.true_fields.click()
    settle(qtbot)
    if context.tasks.is_busy:  # a film would mix two models
        assert f"of {count} frames" in bar.true_fields.text()
        assert "switch them off" in window.menus.actions["export_video"].why_disabled(context)
    wait_idle(qtbot, window)
    assert not window.menus.actions["export_video"].why_disabled(context)
    wait_for_frames(qtbot, window)
    settle(qtbot, 200)
    assert bar.true_fields.isChecked() and bar.true_fields.text() == "True fields"
    assert context.n_frames == count and [a.name for a in context.project.analyses] == [
        "press",
        "twist",
        "shake",
    ]
    assert legend_text(scene.content, scene.theme).remark.endswith("FE model")
    assert scene.content.title == "twist (true fields)"
    assert np.nanmax(np.abs(scene.content.frame.values - before)) > 0.01 * np.nanmax(before)
    context.view.set(limits="run")
    settle(qtbot, 100)
    qtbot.waitUntil(lambda: "limits of the run" in scene.content.spanned, timeout=20_000)
    context.refresh_findings()
    assert any("reduced pressures of 'twist' are up to" in found.sentence for found in context.findings)
    for theme, size in zip(("light", "dark"), SIZES, strict=True):
        window.choose_theme(theme)
        window.resize(*size)
        settle(qtbot, 200)
        shoot(window, "11-true-fields", theme, size)

    trigger(qtbot, window, "undo")
    settle(qtbot, 100)
    assert not bar.true_fields.isChecked() and scene.content.title == "twist"
    bar.true_fields.click()
    settle(qtbot, 100)
    assert scene.content.title == "twist (true fields)" and not context.tasks.is_busy


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
