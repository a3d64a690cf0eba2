"""Plots that the project keeps, colours that stay with their curves, and two cursors that read differences."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.plot import Axis, Plot, Series
from faying.results.curve_key import CurveKey
from faying.results.curves import first_curves
from faying_app.plotting.cursors import readings, value_at
from faying_app.tasks import opening, saving
from support.windows import settle, wait_idle


def test_values_lie_between_the_points_of_a_curve_and_are_none_outside():
    rising = Series("u", np.array([0.0, 1.0, 3.0]), np.array([0.0, 10.0, 30.0]))
    assert value_at(rising, 2.0) == pytest.approx(20.0)
    assert math.isnan(value_at(rising, 3.5))
    back = Series("loop", np.array([0.0, 1.0, 0.2]), np.array([0.0, 5.0, 7.0]))
    assert value_at(back, 0.25) == 7.0


def test_differences_have_units_and_a_frequency():
    x = np.linspace(0.0, 1.0, 101)
    one = Series("tip uz", x, 4.0 * x)
    plot = Plot("run", Axis("Time", "s"), Axis("Displacement", "mm"), (one,))
    assert readings(plot, one, 0.2, 0.25) == ("Time 0.2, 0.25: Δ 0.05 s, 1/Δ 20 Hz; tip uz 0.8, 1: Δ 0.2 mm")
    assert readings(plot, None, 0.5, 0.5) == "Time 0.5, 0.5: Δ 0 s"


def tick(panel, name, on=True):
    """Tick a curve in the list, or take its tick away."""
    item = next(panel.names.item(i) for i in range(panel.names.count()) if panel.names.item(i).text() == name)
    item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)


def colours(panel):
    """Return the number of the colour of each drawn curve."""
    return {series.name: series.style for series in panel.plot.plot.series if series.name}


@pytest.mark.window
def test_a_curve_keeps_its_colour_when_others_come_and_go(qtbot, results_window):
    window = results_window
    window.show_panel("curves")
    settle(qtbot, 200)
    panel = window.docks.panels["curves"]
    (first,) = colours(panel)
    before = panel.names.item(1).text()
    tick(panel, before)
    both = colours(panel)
    assert both[first] == 0 and both[before] == 1
    tick(panel, first, on=False)
    third = next(
        panel.names.item(i).text() for i in range(panel.names.count())
        if panel.names.item(i).text() not in both
    )  # fmt: skip
    tick(panel, third)
    assert colours(panel) == {before: 1, third: 2}
    tick(panel, first)
    assert colours(panel) == {first: 0, before: 1, third: 2}


@pytest.mark.window
def test_plots_are_saved_with_the_project_and_shown_again(qtbot, results_window, tmp_path):
    window, context = results_window, results_window.context
    window.show_panel("curves")
    settle(qtbot, 200)
    panel = window.docks.panels["curves"]
    (first,) = colours(panel)
    other = panel.names.item(1).text()
    tick(panel, other)
    tick(panel, first, on=False)
    wanted = colours(panel)
    panel.strip.save.click()
    assert not context.view.values.plots  # without a name
    assert not window.isWindowModified()
    qtbot.keyClicks(panel.strip.line, "second")
    qtbot.mouseClick(panel.strip.save, Qt.MouseButton.LeftButton)
    (kept,) = context.view.values.plots
    assert kept.name == "second" and dict(kept.curves) == wanted
    settle(qtbot, 100)
    assert window.isWindowModified() and window.status.modified.text() == "modified"
    assert not context.document.is_modified
    path = tmp_path / "plots.faying"
    assert saving.save_to(context, path)
    wait_idle(qtbot, window)
    assert not window.isWindowModified()
    opening.open_project(context, path)
    wait_idle(qtbot, window)
    context.selection.select(("bodies", 0))
    settle(qtbot, 200)
    assert not window.isWindowModified()
    names = panel.strip.names
    assert [names.itemText(i) for i in range(names.count())] == ["second"]
    names.setCurrentIndex(0)
    names.activated.emit(0)
    settle(qtbot, 200)
    assert context.entity == ("analyses", 2)
    assert colours(panel) == wanted
    qtbot.mouseClick(panel.strip.delete, Qt.MouseButton.LeftButton)
    assert not context.view.values.plots and names.count() == 0
    settle(qtbot, 100)
    assert window.isWindowModified()


@pytest.mark.window
def test_two_cursors_are_dragged_and_read_the_difference(qtbot, results_window):
    window = results_window
    window.show_panel("curves")
    settle(qtbot, 200)
    panel = window.docks.panels["curves"]
    qtbot.mouseClick(panel.strip.cursors, Qt.MouseButton.LeftButton)
    settle(qtbot, 100)
    first, second = panel.cursors.places
    (low, high) = panel.plot.seen_along()
    assert first == pytest.approx(low + (high - low) / 3) and second == pytest.approx(
        low + 2 * (high - low) / 3
    )
    assert f"Δ {second - first:.5g} s, 1/Δ {1 / (second - first):.5g} Hz" in panel.strip.reading.whole
    box = panel.plot.widget.plotItem.vb
    at = panel.plot.widget.mapFromScene(box.mapViewToScene(panel.cursors.lines[0].pos()))
    start = QPoint(at.x(), panel.plot.widget.mapFromScene(box.sceneBoundingRect().center()).y())
    canvas = panel.plot.widget.viewport()
    qtbot.mouseMove(canvas, start)
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    for step in (10, 20, 30):
        settle(qtbot, 20)  # pyqtgraph leaves out moves that follow each other faster than every 10 ms
        qtbot.mouseMove(canvas, start + QPoint(step, 0))
    settle(qtbot, 20)
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=start + QPoint(30, 0))
    settle(qtbot, 100)
    assert panel.cursors.places[0] > first and panel.cursors.places[1] == second
    assert f"Δ {second - panel.cursors.places[0]:.5g} s" in panel.strip.reading.whole
    other = panel.names.item(1).text()
    tick(panel, other)  # another plot: both stay
    assert panel.cursors.places[1] == second
    assert all(line.scene() is not None for line in panel.cursors.lines)
    panel.strip.cursors.click()
    assert not panel.strip.reading.whole and all(line.scene() is None for line in panel.cursors.lines)


def test_a_new_kind_of_analysis_of_a_system_shows_a_curve_though_it_has_no_energies():
    key = CurveKey("angle", "angle")
    results = SimpleNamespace(
        curve_texts={key: "crank angle"}, curve_keys=[key], part_names=("crank",),
        axis=SimpleNamespace(first_curves=()), curve=lambda _key: np.array([0.0, 1.0]),
    )  # fmt: skip
    assert first_curves(results) == {"crank angle"}
