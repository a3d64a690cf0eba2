"""A frequency response in the real window: added, decided in the form, run, and drawn over frequency."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from faying.fem.writers import write_model
from faying.project import edits
from faying_app.forms.form import SpecForm
from faying_app.scene.visuals.caption import caption_text
from faying_app.tasks import opening
from support.boxes import box
from support.windows import choose, settle, trigger, wait_for_frames, wait_idle

pytestmark = pytest.mark.window
STUDY = """
[[bodies]]
name = "bar"
model = { path = "bar.inp" }
interfaces = [{ name = "left", node = 1 }, { name = "right", node = 63 }]
reduction = { kind = "line_fitting", points = 12 }
"""


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_a_bar_is_shaken(qtbot, window, tmp_path):
    write_model(box("hex8_incompatible", (6, 2, 2), (120.0, 12.0, 8.0)), tmp_path / "bar.inp")
    (tmp_path / "bar.toml").write_text(STUDY)
    context = window.context
    opening.open_path(context, tmp_path / "bar.toml")
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    context.selection.select(("bodies", 0))
    settle(qtbot)
    choose(qtbot, window, "add_analysis", "Frequency response")
    rows = {row.path[-1]: row for row in window.docks.panels["properties"].findChild(SpecForm).all_rows()}
    decided = {"lowest_frequency": "100 Hz", "highest_frequency": "9 kHz", "stiffness_damping": "2 us"}
    for name, text in decided.items():
        rows[name].editor.line.setText(text)
        rows[name].editor.line.editingFinished.emit()
    support = rows["support"].editor.box
    assert support.currentText() == "left"  # it has no rotations to hold the body by: free then
    support.setEditText("")
    support.lineEdit().editingFinished.emit()
    context.apply("Load", edits.set_value(("analyses", 0, "loads", 0, "force"), (0.0, 0.0, "2 N")))
    (analysis,) = context.project.analyses
    assert (analysis.highest_frequency, analysis.support) == (9000.0, "")
    assert analysis.stiffness_damping == pytest.approx(2e-6)

    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, seconds=120)
    assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    context.selection.select(("analyses", 0))
    wait_for_frames(qtbot, window)
    curves = window.docks.panels["curves"]
    window.show_panel("curves")
    settle(qtbot, 200)
    plot = curves.plot.plot
    assert plot.x.label == "Frequency [Hz]" and plot.y.logarithmic
    of_fe_model, drawn = plot.series
    assert (
        of_fe_model.name == "full right uz"
        and drawn.name == "right uz"
        and drawn.x[0] == 100.0
        and drawn.x[-1] == 9000.0
    )
    assert (drawn.y > 0.0).all() and drawn.y.max() > 50.0 * np.median(drawn.y)
    # With its phase beside it, which has an axis of its own at the right.
    for row in range(curves.names.count()):
        if curves.names.item(row).text() == "right uz phase":
            curves.names.item(row).setCheckState(Qt.CheckState.Checked)
    settle(qtbot, 100)
    assert curves.plot.plot.right.title == "Phase" and not curves.plot.plot.right.logarithmic
    # Both at once, and imaginary over real parts.
    views = [curves.view.itemText(i) for i in range(curves.view.count())]
    assert curves.view.isEnabled() and views == ["Magnitude", "Bode", "Nyquist"]
    for i in (1, 2):
        curves.view.setCurrentIndex(i)
        curves.view.activated.emit(i)
        settle(qtbot, 100)
        plot = curves.plot.plot
        assert ("imaginary part" in plot.y.title) == (i == 2) and (plot.right is None) == (i == 2)
    curves.view.setCurrentIndex(0)
    curves.view.activated.emit(0)
    # The frame at the peak is the operating shape, and said to be at that frequency.
    peak = int(np.argmax(drawn.y))
    context.view.set(frame=peak)
    settle(qtbot, 200)
    assert window.time_bar.label.text().startswith(f"f = {drawn.x[peak]:.6g} Hz")
    assert f"f = {drawn.x[peak]:.6g} Hz" in caption_text(window.presenter.scene.content, 200)
    # Played, it swings with its phase: from where it is largest to where it is a quarter of a period later.
    shape = window.presenter.scene.content.frame.positions.copy()
    assert window.presenter.swings and not window.time_bar.mode.isVisible()
    window.player.play("toggle")
    qtbot.waitUntil(lambda: window.presenter.phase > 1.4, timeout=20000)
    window.player.play("toggle")
    settle(qtbot)
    assert window.presenter.phase == 0.0 and context.view.values.frame == peak
    window.presenter.swing(np.pi / 2)
    nodes = window.presenter.scene.content.model.nodes
    moved, later = shape - nodes, window.presenter.scene.content.frame.positions - nodes
    frames = window.presenter.frames
    q, quarter = frames.coordinates(peak), frames.quadrature(peak)
    assert 0.0 < np.linalg.norm(quarter) < np.linalg.norm(q) and abs(q @ quarter) < 1e-6 * (q @ q)
    assert 0.0 < np.abs(later).max() < 0.9 * np.abs(moved).max()
    # A field of joints that was chosen on another body is none of this one, which has no joints.
    context.view.set(field="pressure")
    settle(qtbot, 100)
    assert window.presenter.field == window.presenter.scene.content.frame.field.text == "displacement"
    bar = window.time_bar.field
    assert bar.findData("pressure") < 0
    assert bar.model().item(bar.findData("displacement")).isEnabled()
