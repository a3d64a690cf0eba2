"""True fields of a flexible part in motion, in the real window with its worker."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from app.test_system_motion import jointed_pendulum, run_motion
from faying.project import edits
from faying.results.fields import fields
from faying_app.scene.visuals.legend import legend_text
from faying_app.view_state import Probe
from support.pictures import SIZES
from support.windows import settle, trigger, wait_for_frames, wait_idle

pytestmark = pytest.mark.window
SMALL = (1024, 700)


def test_true_fields_of_a_system_are_a_switch(qtbot, make_window, tmp_path, shoot):
    """Of its flexible part; the rigid one has no fields. Legend, caption, curves and exports say whose they are."""
    window = make_window(SIZES[0])
    jointed_pendulum(qtbot, window, tmp_path)
    context, bar, scene = window.context, window.time_bar, window.presenter.scene
    context.apply("Few modes", edits.set_value(("bodies", 0, "joint_modes", "count"), 1))
    number = len(context.project.analyses) - 1
    run_motion(qtbot, window, number)
    context.view.set(frame=context.n_frames - 1, field="pressure", limits="frame", probes=(
        Probe(subject="swing", part="plates", node=int(context.computed.model("plates").node_ids[0])),
    ))  # fmt: skip
    settle(qtbot, 100)
    assert bar.true_fields.isVisible() and not bar.true_fields.isChecked()
    assert "about" in bar.true_fields.toolTip()
    assert legend_text(scene.content, scene.theme).remark.endswith("reduced body")
    before, count = scene.content.frame.values.copy(), context.n_frames

    bar.true_fields.click()
    settle(qtbot)
    if context.tasks.is_busy:  # a film would mix two models
        assert f"of {count} frames" in bar.true_fields.text()
        assert "switch them off" in window.menus.actions["export_video"].why_disabled(context)
    wait_idle(qtbot, window, seconds=120)
    assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    wait_for_frames(qtbot, window)
    settle(qtbot, 200)
    assert bar.true_fields.isChecked() and bar.true_fields.text() == "True fields"
    assert not window.menus.actions["export_video"].why_disabled(context)
    assert context.n_frames == count
    assert legend_text(scene.content, scene.theme).remark.endswith("FE model")
    assert scene.content.title == "fall (true fields)"
    after = scene.content.frame.values
    assert np.nanmax(np.abs(after - before)) > 0.01 * np.nanmax(before)
    # The picture has the values of the stored correction.
    true = context.computed.results("fall, plates (true fields)")
    assert scene.content.context.parts[0].context.frames.is_true(count - 1) and true.n_frames == count

    context.view.set(field="von_mises")
    window.show_panel("curves")
    qtbot.waitUntil(lambda: any("(FE model)" in name for name in _curves(window)), timeout=30_000)
    context.view.set(field="pressure")
    largest = "Largest pressure in plates: lap (FE model)"
    qtbot.waitUntil(lambda: largest in _curves(window), timeout=30_000)
    panel = window.docks.panels["curves"]
    (item,) = panel.names.findItems(largest, Qt.MatchFlag.MatchExactly)
    item.setCheckState(Qt.CheckState.Checked)
    qtbot.waitUntil(lambda: any(s.name == largest for s in panel.plot.plot.series), timeout=30_000)
    pressure = fields["pressure"]()
    part = scene.content.context.parts[0].context
    wanted = [pressure.evaluate(part, "lap", frame).max() for frame in range(count)]
    (drawn,) = [series for series in panel.plot.plot.series if series.name == largest]
    np.testing.assert_allclose(drawn.y, wanted, rtol=1e-9)
    for theme, size in zip(("light", "dark", "light"), (*SIZES, SMALL), strict=True):
        window.choose_theme(theme)
        window.resize(*size)
        settle(qtbot, 200)
        shoot(window, "11-true-fields-of-system", theme, size)

    context.view.set(probes=())
    trigger(qtbot, window, "undo")
    settle(qtbot, 100)
    assert not bar.true_fields.isChecked() and scene.content.title == "fall"
    assert legend_text(scene.content, scene.theme).remark.endswith("reduced body")
    bar.true_fields.click()
    settle(qtbot, 100)
    assert scene.content.title == "fall (true fields)" and not context.tasks.is_busy


def _curves(window):
    panel = window.docks.panels["curves"]
    return [panel.names.item(row).text() for row in range(panel.names.count())]
