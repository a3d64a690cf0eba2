"""A reduction study in the real window: three methods compared by a handful of clicks, and what is shown of them."""

import time

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QPushButton

from faying.analyses.reduction_study import ERRORS, TABLE, responses_of
from faying_app.forms.form import SpecForm
from faying_app.panels.reduction_study import series_of
from support.windows import plates_in, settle, trigger, wait_for_frames, wait_idle

pytestmark = pytest.mark.window


def rows_of(window):
    """Return the rows of the study itself, not of its methods."""
    rows = window.docks.panels["properties"].findChild(SpecForm).all_rows()
    return {row.path[-1]: row for row in rows if len(row.path) == 3}


def typed(qtbot, line, text):
    """Type into a line in place of what is there, and leave it by Return."""
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    settle(qtbot)


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_a_user_compares_three_methods_in_under_a_minute_of_clicks(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context, began = window.context, time.monotonic()

    # 1, 2: Run ▸ Compare reduction methods. 3, 4: the range and the sizes. 5: another of the three methods.
    context.selection.select(("bodies", 0, "reduction"))
    trigger(qtbot, window, "compare_methods")
    settle(qtbot)
    typed(qtbot, rows_of(window)["highest_frequency"].editor.line, "20 kHz")
    typed(qtbot, rows_of(window)["sizes"].editor.line, "2, 4")
    kinds = [
        box
        for box in window.docks.panels["properties"].findChildren(QComboBox)
        if box.accessibleName() == "Kind of methods 2"
    ]
    (kind,) = kinds
    kind.setCurrentIndex(kind.findText("Guyan"))
    kind.activated.emit(kind.currentIndex())
    settle(qtbot)
    (study,) = context.project.analyses
    assert [method.kind for method in study.methods] == ["craig_bampton", "guyan", "line_fitting"]
    assert (study.highest_frequency, study.sizes, study.body) == (20e3, (2, 4), "plates")

    # 6: run; the panel, empty so far, fills point by point, and no other comes before it.
    panel = window.docks.panels["reduction_study"]
    assert panel._shown is None and not panel.visibleRegion().isEmpty()
    seen = set()
    panel.view.table.modelReset.connect(lambda: seen.add(panel.view.table.rowCount()))
    trigger(qtbot, window, "run_analysis")
    clicking = time.monotonic() - began
    wait_idle(qtbot, window, seconds=120)
    assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    assert clicking < 60.0
    qtbot.waitUntil(lambda: panel.view.table.rowCount() == 7, timeout=20000)
    assert panel.view.isVisible() and not panel.visibleRegion().isEmpty()
    # Shapes have no size of their own: their colours are displacements, not pressures.
    wait_for_frames(qtbot, window)
    assert window.presenter.field == "displacement"

    # The table, the advice, and the errors over frequency.
    results = context.computed.results("methods for plates")
    table = results.table(TABLE)[1]
    names = [panel.view.model().index(row, 0).data() for row in range(7)]
    assert names == [
        "FE model",
        *(f"{m}, {n}" for m in ("Craig-Bampton", "Guyan", "Line fitting") for n in (2, 4)),
    ]
    assert float(panel.view.model().index(1, 1).data()) == table[1, 2]
    qtbot.waitUntil(lambda: "Between the frequencies 0 and 20000 Hz" in panel.advice.text(), timeout=20000)
    curves = panel.plot.curves
    assert len(curves) == 6 and panel.plot.widget.getAxis("left").logMode
    errors = results.table(ERRORS)[1]
    np.testing.assert_allclose(curves[0].xData, errors[:, 0])
    np.testing.assert_allclose(curves[0].yData, 100.0 * errors[:, 1])
    assert not panel.entry.isEnabled()

    # Each other measure, by the chooser.
    drawn = {}
    for number in range(panel.measure.count()):
        panel.measure.setCurrentIndex(number)
        panel.measure.activated.emit(number)
        measure = panel.measure.currentData()
        drawn[measure] = len(panel.plot.curves)
        assert panel.entry.isEnabled() == (measure in ("entry error", "response"))
    assert drawn == {"errors": 6, "entry error": 6, "response": 7, "differences": 6, "assurance": 6}
    assert panel.entry.itemText(1) == "hold uy by force at hold ux"
    kept, full = (responses_of(results, frame)[:, 3] for frame in (2, 0))
    by_name = {series.name: series for series in series_of(results, "entry error", 3)}
    np.testing.assert_allclose(by_name["Craig-Bampton, 4"].y, 100.0 * np.abs(kept / full - 1.0))

    # Its frames are shapes that the view shows, and its findings are the advice.
    context.view.set(frame=3)
    settle(qtbot, 200)
    assert "Guyan, 2" in window.time_bar.label.text()
    # Arrows show the dofs that the study chose for line fitting, on the body.
    chosen = results.report["further_dofs"]
    arrows = [load for load in window.presenter.scene.content.symbols.loads if not load.text]
    model = window.presenter.scene.content.model
    assert len(chosen) == 4 and {(int(model.node_ids[a.node]), a.vector.index(1.0) + 1) for a in arrows} == {
        tuple(dof) for dof in chosen
    }
    buttons = {button.text() for button in panel.findChildren(QPushButton)}
    assert {"Copy", "CSV…"} <= buttons
