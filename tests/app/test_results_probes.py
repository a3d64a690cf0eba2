"""Probes and curves in the real window: click, value, history over time, hysteresis, spectrum, export."""

import csv
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog

from faying.fem.stress import StressRecovery
from faying.fem.stress_measures import von_mises
from faying.project import edits
from faying.results.fields import fields
from faying_app.view_state import Probe
from support.windows import settle, trigger, view_pixels

pytestmark = pytest.mark.window


def click_node(qtbot, window, row):
    """Click where a node is drawn."""
    scene, view = window.presenter.scene, window.viewport.view
    x, y = scene.pixels(scene.content.positions[[row]])[0] / view.devicePixelRatioF()
    left = Qt.MouseButton.LeftButton
    qtbot.mouseClick(
        view, left, Qt.KeyboardModifier.NoModifier, QPoint(round(x), view.height() - 1 - round(y))
    )
    settle(qtbot)


def wait_answered(qtbot, window):
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=30000)
    settle(qtbot)


def choose(box, text):
    box.setCurrentIndex(box.findText(text))
    assert box.currentText() == text
    box.activated.emit(box.currentIndex())


def test_probes_of_the_body_are_curves_of_its_analyses(qtbot, results_window):
    window, curves = results_window, results_window.docks.panels["curves"]
    context = window.context
    probe = {"place": "element", "number": 3, "field": "von_mises"}
    context.apply("Probe", edits.set_value(("bodies", 0, "probes"), (probe,)))
    window.show_panel("curves")
    settle(qtbot)
    wait_answered(qtbot, window)
    drawn = next(s for s in curves.plot.plot.series if s.name == "el 3 von_mises")
    found = window.presenter.field_context
    recovery = StressRecovery(found.model)
    for frame in (0, 20, 40):
        points = recovery.at_points(found.displacement(frame))
        wanted = points[recovery.point_elements == 2].mean(axis=0, keepdims=True)
        assert drawn.y[frame] == pytest.approx(von_mises(wanted)[0], rel=1e-9)
    # Less another run: the curves, and how large they are.
    context.selection.select(("analyses", 1))
    context.view.set(compare="press", difference=True)
    settle(qtbot, 200)
    wait_answered(qtbot, window)
    less = next(s for s in curves.plot.plot.series if s.name == "el 3 von_mises less press")
    assert np.nanmax(abs(less.y)) > 0.0 and "el 3 von_mises: " in curves.sizes.text()
    assert f"{np.nanmax(abs(less.y)):.4g} N/mm² at most" in curves.sizes.text()
    context.view.set(compare="", difference=False)
    settle(qtbot)
    assert not curves.sizes.isVisible() and "el 3 von_mises" in [s.name for s in curves.plot.plot.series]
    trigger(qtbot, window, "undo")


def test_from_a_click_to_a_curve_and_a_file(qtbot, results_window, tmp_path, monkeypatch):
    window, curves = results_window, results_window.docks.panels["curves"]
    context, scene = window.context, results_window.presenter.scene
    trigger(qtbot, window, "probe")
    pairs = scene.content.joint_pairs["lap"]
    nodes = scene.content.model.nodes[pairs.slave_nodes]
    row = int(np.hypot(nodes[:, 0] - 40.0, nodes[:, 1] - 5.0).argmin())
    click_node(qtbot, window, pairs.slave_nodes[row])
    assert list(scene.content.probes) == [pairs.slave_nodes[row]]
    # The label has the value of the frame, in the legend's unit.
    label = scene.visuals["probes"].labels[0]
    number = scene.content.model.node_ids[pairs.slave_nodes[row]]
    assert label.GetInput().startswith(f"node {number}\n") and label.GetInput().endswith("N/mm²")
    wait_answered(qtbot, window)
    drawn = curves.plot.plot.series
    probed = next(s for s in drawn if s.name == f"Pressure at node {number}")
    field_context = window.presenter.field_context
    each = [fields["pressure"]().evaluate(field_context, "lap", i)[row] for i in range(41)]
    np.testing.assert_allclose(probed.y, each, rtol=1e-12)
    # Displacements and pressures have an axis each.
    assert curves.plot.plot.right is not None
    assert curves.plot.widget.getAxis("right").isVisible()
    # Another field: the curve follows. A second probe: a second curve.
    context.view.set(field="displacement")
    wait_answered(qtbot, window)
    top = int(np.linalg.norm(scene.content.model.nodes - [20.0, 5.0, 2.0], axis=1).argmin())
    click_node(qtbot, window, top)
    wait_answered(qtbot, window)
    names = [s.name for s in curves.plot.plot.series]
    assert sum(name.startswith("Displacement at node") for name in names) == 2, names
    # Three kinds of file, each opened again.
    for kind in ("csv", "svg", "png"):
        target = tmp_path / f"curves.{kind}"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args, t=target: (str(t), ""))
        curves.export.click()
        settle(qtbot)
        assert target.exists(), kind
    with (tmp_path / "curves.csv").open(encoding="utf-8") as stream:
        heads, *rows = csv.reader(stream)
    assert heads[0] == "Time [s]" and any("Displacement at node" in head for head in heads)
    assert len(rows) == 41
    root = ElementTree.parse(tmp_path / "curves.svg").getroot()
    assert root.tag.endswith("svg")
    import imageio.v3 as imageio

    assert imageio.imread(tmp_path / "curves.png").std() > 5
    # A second click drops a probe, the action all of them.
    click_node(qtbot, window, top)
    assert len(context.view.values.probes) == 1
    trigger(qtbot, window, "drop_probes")
    assert not scene.visuals["probes"].labels[0].GetVisibility()
    assert not any("at node" in s.name for s in curves.plot.plot.series)


def show_point_at(qtbot, scene, point, pixel):
    """Move the camera sideways until a point is drawn at a pixel, counted from the lower left."""
    sheet, pose = scene.stage.sheet(), scene.camera
    right, up = (np.array(pixel) - scene.pixels(point[None])[0]) / sheet.pixels_per_length
    shift = -right * sheet.axes[0] - up * sheet.axes[1]
    scene.camera = replace(
        pose, position=tuple(pose.position + shift), focal_point=tuple(pose.focal_point + shift)
    )
    settle(qtbot)
    np.testing.assert_allclose(scene.pixels(point[None])[0], pixel, atol=0.5)


def box_of(label):
    """Return (left, bottom, right, top) of a label in pixels."""
    (x, y), box = label.GetPosition(), label.box
    return x + box[0], y + box[1], x + box[2], y + box[3]


@pytest.mark.parametrize(
    ("theme", "size"), [("light", (1280, 800)), pytest.param("dark", (1920, 1080), marks=pytest.mark.slow)]
)
def test_labels_of_probes_keep_clear_of_the_legend(qtbot, results_window, shoot, theme, size):
    window = results_window
    window.choose_theme(theme)
    window.resize(*size)
    settle(qtbot, 200)
    window.docks.arrange()
    settle(qtbot, 100)
    context, scene = window.context, window.presenter.scene
    row = int(np.linalg.norm(scene.content.model.nodes - [40.0, 5.0, 2.0], axis=1).argmin())
    node = int(scene.content.model.node_ids[row])
    # Marks of extremes have labels of their own, of which those of probes keep clear, too.
    context.view.set(
        field="von_mises", frame=12, extremes=False, probes=(Probe(subject="plates", node=node),)
    )
    wait_answered(qtbot, window)
    settle(qtbot, 200)
    label, (width, height) = scene.visuals["probes"].labels[0], scene.stage.size
    # (where the point is, how far its label may be): left of the legend, beneath it, in a corner, at the caption.
    left, bottom, right, top = scene.visuals["legend"].plates[0]
    spots = [((left - 40, (bottom + top) / 2), 12), (((left + right) / 2, bottom + 60), right - left)]
    spots += [((width - 5, 5), 12), ((60, height - 25), 60)]
    for spot, most in spots:
        show_point_at(qtbot, scene, scene.content.positions[row], spot)
        scene.set_visible("probes", False)
        settle(qtbot)
        without = view_pixels(window)
        scene.set_visible("probes", True)
        settle(qtbot)
        assert label.GetVisibility()
        box = box_of(label)
        assert min(box[0], box[1]) >= 0 and box[2] <= width and box[3] <= height, (spot, box)
        for kind in ("legend", "caption"):
            (plate,) = scene.visuals[kind].plates
            apart = box[2] <= plate[0] or box[0] >= plate[2] or box[3] <= plate[1] or box[1] >= plate[3]
            assert apart, (spot, kind, box, plate)
        beside = max(box[0] - spot[0], spot[0] - box[2], box[1] - spot[1], spot[1] - box[3])
        assert 0.0 < beside <= most, (spot, box)
        # Nothing is written over the legend: only the point itself shows through where it lies beneath.
        now = view_pixels(window)
        assert now.shape == (height, width, 3) == without.shape
        rows, columns = slice(height - int(top), height - int(bottom)), slice(int(left) + 1, int(right))
        changed = (now[rows, columns] != without[rows, columns]).any(axis=2).sum()
        assert changed < (20 * 20 if spot[0] > left - 10 else 1), spot
    show_point_at(qtbot, scene, scene.content.positions[row], spots[0][0])
    shoot(window, "9-probe-at-legend", theme, size)


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_hysteresis_spectrum_and_envelope(qtbot, results_window):
    window, curves = results_window, results_window.docks.panels["curves"]
    window.show_panel("curves")
    settle(qtbot)
    choose(curves.over, "lap normal force")
    plot = curves.plot.plot
    assert plot.x.label == "lap normal force [N]"
    results = window.context.computed.results("shake")
    np.testing.assert_array_equal(plot.series[0].x, results.curve("lap normal force"))
    assert curves.plot.cursor_line.scene() is None  # a frame is no place on this axis
    choose(curves.over, "Time")
    assert curves.plot.cursor_line.scene() is not None
    choose(curves.view, "Spectrum")
    plot = curves.plot.plot
    assert plot.x.label == "Frequency [Hz]"
    assert 200.0 < plot.series[0].x[plot.series[0].y.argmax()] < 3000.0  # driven with 500 Hz
    choose(curves.view, "Orders")
    assert "Orders need an angle" in curves.problem.text() and curves.problem.isVisible()
    choose(curves.view, "Envelope")
    assert not curves.problem.isVisible()
    assert len(curves.plot.plot.series) == 3
    # Load steps have no spectrum: the choice is not offered.
    window.context.selection.select(("analyses", 0))
    settle(qtbot)
    assert [curves.view.itemText(i) for i in range(curves.view.count())] == ["Values", "Hysteresis"]
    assert curves.plot.plot.x.title == "Load factor"


def test_the_cursor_goes_with_the_frames_and_units_are_kept(qtbot, results_window):
    window, curves = results_window, results_window.docks.panels["curves"]
    window.show_panel("curves")
    window.context.view.set(units={"time": "ms", "length": "µm"}, frame=20)
    settle(qtbot)
    assert curves.plot.plot.x.label == "Time [ms]" and curves.plot.plot.y.label == "Displacement [µm]"
    assert curves.plot.cursor_line.value() == pytest.approx(2.0)
    curves.plot.cursor_dragged.emit(3.0)
    assert window.context.view.values.frame == 30


def test_video_keys_step_leap_and_change_speed(qtbot, results_window):
    window, view = results_window, results_window.context.view
    keys = window.menus.qt_actions
    for action, frame in (("play_to_5", 20), ("play_forward", 24), ("play_back", 20), ("play_next", 21)):
        keys[action].trigger()
        assert view.values.frame == frame, action
    speed = view.values.frames_per_second
    keys["play_faster"].trigger()
    assert view.values.frames_per_second == 2 * speed
    # By the clock: a thousandth of real time shows a millisecond in a second.
    view.set(time_factor=0.01, frame=0, play_mode="loop")
    began = time.monotonic()
    view.set_playing(True)
    qtbot.waitUntil(lambda: window.presenter.frames.values[view.values.frame] > 0.0015, timeout=20000)
    assert time.monotonic() - began > 0.15
    view.set_playing(False)


def test_curves_have_a_table_levels_and_a_loop_at_hand(qtbot, results_window, screenshots):
    window, curves = results_window, results_window.docks.panels["curves"]
    window.show_panel("curves")
    settle(qtbot)
    results = window.context.computed.results("shake")
    # What is drawn comes first in the list.
    ticked = [
        curves.names.item(row).checkState() == Qt.CheckState.Checked for row in range(curves.names.count())
    ]
    assert any(ticked) and ticked == sorted(ticked, reverse=True)
    for row in range(curves.names.count()):
        item = curves.names.item(row)
        wanted = item.text() == "lap normal force"
        item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)
    settle(qtbot)
    # The table has the numbers of the drawn curve, and of the shown frame.
    curves.table_shown.setChecked(True)
    window.context.view.set(frame=7)
    settle(qtbot)
    columns = {column.title: column.values[0] for column in curves.table.table.columns}
    force = results.curve("lap normal force")
    assert columns["Largest"] == pytest.approx(force.max()) and columns["At the frame"] == pytest.approx(
        force[7]
    )
    assert columns["Mean"] == pytest.approx(np.trapezoid(force, results.values) / np.ptp(results.values))
    curves.table_shown.setChecked(False)
    # Hysteresis needs no second choice.
    choose(curves.view, "Hysteresis")
    settle(qtbot)
    assert curves.over.currentText().endswith((" ux", " uy", " uz"))
    np.testing.assert_allclose(
        curves.plot.plot.series[0].x, results.curve(curves.over.currentText()), atol=1e-12
    )
    choose(curves.view, "Spectrum")
    assert curves.over.currentText() == "Time"
    curves.scales.decibel.setChecked(True)
    curves.scales.peaks.setValue(3)
    curves.scales.highest.setValue(3000.0)
    settle(qtbot)
    plot = curves.plot.plot
    assert plot.y.unit == "dB re 1 N" and plot.x.limits == (0.0, 3000.0)
    assert 1 <= len(curves.plot.peaks) <= 3 and max(curves.plot.peaks) <= 3000.0
    assert curves.plot.legend.geometry().width() < 0.6 * curves.plot.width()
    screenshots.mkdir(parents=True, exist_ok=True)
    curves.grab().save(str(screenshots / "curves_levels.png"))


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_panels_tell_numbers_in_the_units_that_the_project_counts_in_now(qtbot, results_window):
    window, context = results_window, results_window.context
    curves, run, pairs, checks = (
        window.docks.panels[kind] for kind in ("curves", "run", "pairs", "model_checks")
    )
    checks.run()
    qtbot.waitUntil(lambda: checks._checked is not None, timeout=30000)

    def told():
        for kind in ("run", "pairs", "curves"):
            window.show_panel(kind)
            settle(qtbot)
        heads = [
            pairs.model.headerData(i, Qt.Orientation.Horizontal) for i in range(pairs.model.columnCount())
        ]
        axes = [curves.plot.plot.y.label, *(view.plot.y.label for view in run.views)]
        return axes, [head for head in heads if "Initial gap" in head]

    axes, gaps = told()
    context.apply("Count in m", edits.set_value(("units",), "m-kg-s"))
    settle(qtbot)
    axes_now, gaps_now = told()
    assert "[mm]" in axes[0] and "[m]" in axes_now[0]
    assert (gaps, gaps_now) == (["Initial gap [mm]"], ["Initial gap [m]"])
    assert len(axes) == len(axes_now) and axes_now[1:] != axes[1:]
    assert checks._checked is None  # its sentences have lengths, too
