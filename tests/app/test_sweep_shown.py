"""A sweep in the real window: added by a click, computed, drawn, and its best point opened as a project."""

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QFileDialog

from faying.analyses.sweep import Sweep
from faying.project.decisions import decisions_of
from faying.project.stages.sweep import TABLE
from faying_app.forms.form import SpecForm
from faying_app.panels.sweep import series_of
from support.windows import plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window


def editor_at(window, *path):
    """Return the editor of a parameter of the selected analysis."""
    rows = window.docks.panels["properties"].findChild(SpecForm).all_rows()
    return next(row.editor for row in rows if row.path[2:] == path)


def typed(qtbot, line, text):
    line.setFocus()
    line.setText(text)
    line.editingFinished.emit()
    settle(qtbot)


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_a_sweep_is_added_computed_and_its_best_point_opened(qtbot, window, tmp_path, monkeypatch):
    plates_in(qtbot, window, tmp_path, analysis=True)
    context = window.context
    swept = context.project.analyses[0].name
    context.selection.select(("analyses", 0))
    trigger(qtbot, window, "sweep_parameters")
    settle(qtbot)
    sweep = context.project.analyses[-1]
    assert isinstance(sweep, Sweep) and sweep.analysis == swept
    # Every decision of the project is in the list; another one is chosen, with ends that have units.
    chooser = editor_at(window, "variations", 0, "decision").findChild(QComboBox)
    offered = [chooser.itemText(i) for i in range(chooser.count())]
    assert set(offered) == set(decisions_of(context.project))
    force = f"analyses.{swept}.loads.tip.force.z"
    chooser.setEditText(force)
    chooser.activated.emit(offered.index(force))
    settle(qtbot)
    typed(qtbot, editor_at(window, "variations", 0, "lowest").line, "-8 N")
    typed(qtbot, editor_at(window, "variations", 0, "highest").line, "4")
    typed(qtbot, editor_at(window, "variations", 0, "count").line, "4")
    typed(qtbot, editor_at(window, "processes").line, "1")  # others would import everything first
    varied = context.project.analyses[-1].variations[0]
    assert (varied.decision, varied.lowest, varied.highest, varied.count) == (force, "-8 N", 4, 4)

    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, seconds=120)
    assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    panel = window.docks.panels["sweep"]
    qtbot.waitUntil(lambda: panel.view.table.rowCount() == 4, timeout=20000)
    assert not panel.visibleRegion().isEmpty()
    heads, rows = context.computed.results(context.project.analyses[-1].name).table(TABLE)
    (series,) = series_of(heads, rows, panel.response.currentText(), "force z", ("force z",), "grid")
    np.testing.assert_array_equal(series.x, [-8.0, -4.0, 0.0, 4.0])
    assert "Best: force z = -8 N" in panel.told.text()

    path = tmp_path / "best.faying"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given: (str(path), "Projects (*.faying)"))
    monkeypatch.setattr("faying_app.tasks.opening.may_leave", lambda _context: True)
    panel.best.click()
    settle(qtbot)
    wait_idle(qtbot, window, seconds=60)
    assert context.document.path == path
    opened = context.project.analysis(swept)
    assert opened.loads[0].force[2] == -8.0
    assert all(not isinstance(a, Sweep) for a in context.project.analyses)
    # Of the best point the results came along.
    assert context.computed.results(swept) is not None
    tip = float(context.computed.results(swept).curve("tip uz")[-1])
    assert tip == rows[0, heads.index("tip uz, last value")]


def test_lines_of_a_grid_and_points_of_a_hypercube():
    heads = ("point", "a", "b", "r", "seconds")
    grid = np.array(
        [[i + 1, a, b, 10 * a + b, 0.1] for i, (a, b) in enumerate((a, b) for a in (1, 2, 3) for b in (5, 6))]
    )
    lines = series_of(heads, grid, "r", "a", ("a", "b"), "grid")
    assert [line.name for line in lines] == ["b = 5", "b = 6"]
    np.testing.assert_array_equal(lines[1].y, [16.0, 26.0, 36.0])
    (points,) = series_of(heads, grid, "r", "a", ("a", "b"), "latin_hypercube")
    assert np.isnan(points.y[1::2]).all() and not np.isnan(points.y[::2]).any()
