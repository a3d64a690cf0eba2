"""Clicking in the panels of basis quality and convergence in the real window."""

import csv
import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from faying.analyses.convergence_study import COLUMNS, TABLE
from faying.project import edits
from faying.project.stage import Target
from support.pictures import SIZES
from support.windows import move_pointer, pixels, plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window
QUALITY = Target("quality", "plates")
LOAD = {"interface": "tip", "force": (0.0, 0.0, -20.0)}


def count_of(window):
    return window.context.project.bodies[0].joint_modes.count


def show_page(qtbot, window, name):
    """Choose a page of the quality panel by a click on its name; return the panel."""
    panel = window.docks.panels["quality"]
    window.show_panel("quality")
    settle(qtbot)
    item = next(panel.names.item(i) for i in range(panel.names.count()) if panel.names.item(i).text() == name)
    at = panel.names.visualItemRect(item).center()
    qtbot.mouseClick(panel.names.viewport(), Qt.MouseButton.LeftButton, pos=at)
    settle(qtbot)
    return panel


@pytest.fixture
def measured(qtbot, window, tmp_path):
    """The window with the plates, their quality computed by a click on the button."""
    plates_in(qtbot, window, tmp_path, analysis=True)
    panel = show_page(qtbot, window, "Frequencies")
    assert panel._stack.currentWidget() is panel._empty
    qtbot.mouseClick(panel.compute, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window)
    return panel


def test_joints_stuck_and_sliding_and_the_loads_of_the_basis(qtbot, window, measured):
    """Weighted POD has no loads to tell of; modes to an accuracy have."""
    panel = show_page(qtbot, window, "Joints stuck, sliding")
    assert panel._stack.currentWidget() is panel.joints
    quality = window.context.computed.value(Target("joint_quality", "plates"))
    assert quality.states and np.nanmin(quality.errors) > -1e-6
    panel = show_page(qtbot, window, "Errors under loads")
    assert panel._stack.currentWidget() is panel._empty and "without looking at loads" in panel._empty.text()
    window.context.apply(
        "To an accuracy", edits.set_value(("bodies", 0, "joint_modes"), {"kind": "error_controlled"})
    )
    settle(qtbot)
    qtbot.mouseClick(panel.compute, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window)
    panel = show_page(qtbot, window, "Errors under loads")
    assert panel._stack.currentWidget() is panel.trained
    basis = window.context.computed.basis("plates")
    assert basis.trained and max(each.motion for each in basis.trained) <= 0.02


def drag_line(qtbot, plot, to):
    """Drag the upright line of a plot to a number with the mouse."""
    box, widget = plot.widget.plotItem.vb, plot.widget

    def place(x):
        (low, high) = box.viewRange()[1]
        point = box.mapViewToScene(QPointF(x, 0.5 * (low + high)))
        return widget.mapFromScene(point)

    start, end, port = place(plot.line.value()), place(to), widget.viewport()
    move_pointer(port, start)
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
    for share in (0.25, 0.5, 0.75, 1.0):
        step = QPointF(start) + share * (QPointF(end) - QPointF(start))
        qtbot.mouseMove(port, QPoint(round(step.x()), round(step.y())))
        qtbot.wait(20)
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=end)
    settle(qtbot)


def test_frequencies_masses_and_assurance_are_shown(qtbot, window, measured):
    panel, quality = measured, window.context.computed.value(QUALITY)
    table = panel.frequencies.model()
    assert table.rowCount() == len(quality.reduced_frequencies) > 5
    assert float(table.index(0, 1).data()) == pytest.approx(quality.full_frequencies[0], rel=1e-5)
    assert "condition of the stiffness" in panel._summary.text()
    assert f"highest frequency {quality.highest_frequency:.0f} Hz" in panel._summary.text()
    assert not panel.compute.isEnabled()

    show_page(qtbot, window, "Effective masses")
    masses = panel.masses.model()
    assert masses.index(0, 0).data() == "Sum"
    assert float(masses.index(0, 4).data()) == pytest.approx(100 * quality.mass_shares[:, 2].sum(), abs=1e-3)

    show_page(qtbot, window, "Modal assurance")
    axes, port = panel.assurance.plot.plotItem.vb, panel.assurance.plot.viewport()

    def told_of_the_first_pair():
        corner, first = (
            panel.assurance.plot.mapFromScene(axes.mapViewToScene(QPointF(x, x))) for x in (4, 1)
        )
        move_pointer(port, corner)  # a pointer that does not move tells nothing
        qtbot.wait(30)  # plots leave out moves that follow each other within a hundredth of a second
        move_pointer(port, first)
        return "reduced mode 1: 1.0000" in panel.assurance.told.text()

    qtbot.waitUntil(told_of_the_first_pair, timeout=10000)


def test_dragging_the_line_is_one_undoable_edit(qtbot, window, measured):
    panel = show_page(qtbot, window, "Joint modes")
    plot = panel.count_plot
    assert plot.number.value() == 6 == count_of(window)
    values = window.context.computed.basis("plates").singular_values
    shown = plot.plots[1].curves[0].yData
    np.testing.assert_allclose(shown, values / values[0])
    entries = len(window.context.document.history)

    drag_line(qtbot, plot.plots[0], 9)
    assert count_of(window) == 9 == plot.number.value()
    assert plot.plots[1].line.value() == 9
    assert len(window.context.document.history) == entries + 1
    assert window.context.document.undo_label == "Use 9 joint modes"
    # The basis has to be computed again; what the number is chosen by is still there.
    assert window.context.computed.basis("plates") is None
    assert "count: 6 → 9" in panel._summary.text()
    assert len(plot.plots[1].curves[0].yData) == len(values)
    assert plot.share.text().startswith("w(9) = ")
    assert panel.compute.isEnabled()

    trigger(qtbot, window, "undo")
    settle(qtbot)
    assert plot.number.value() == 6 == plot.plots[0].line.value()
    assert window.context.computed.value(QUALITY) is not None


def test_the_number_can_be_typed_and_another_method_forgets_the_values(qtbot, window, measured):
    panel = show_page(qtbot, window, "Joint modes")
    number = panel.count_plot.number
    number.selectAll()
    qtbot.keyClicks(number, "4")
    qtbot.keyClick(number, Qt.Key.Key_Return)
    settle(qtbot)
    assert count_of(window) == 4
    assert panel.count_plot.plots[0].line.value() == 4
    qtbot.mouseClick(panel.compute, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window)
    assert window.context.computed.value(QUALITY) is not None

    # By ratio, and more than there are: as many are told as the basis gets.
    values, path = window.context.computed.basis("plates").singular_values, ("bodies", 0, "joint_modes")
    exact = float((values[:5] ** 2).sum() / (values**2).sum())
    for words, wanted in (({"ratio": exact}, 5), ({"ratio": 0.0, "count": 2000}, len(values))):
        window.context.apply("Number", edits.set_values(path, words))
        settle(qtbot)
        method = window.context.project.bodies[0].joint_modes
        assert number.value() == method.kept(values) == wanted

    edit = edits.replace_member(("bodies", 0, "joint_modes"), "pod")
    window.context.apply("Another method", edit)
    settle(qtbot)
    assert all(plot.curves[0].xData is None for plot in panel.count_plot.plots)
    assert panel.count_plot.share.text() == ""


@pytest.fixture
def studied(qtbot, window, tmp_path):
    """The window with a convergence study that was run."""
    plates_in(qtbot, window, tmp_path, analysis=True)
    words = {
        "kind": "convergence_study", "name": "study", "body": "plates", "support": "hold", "both_signs": True,
        "loads": (LOAD,), "counts": (0, 2, 6),
        "methods": ({"kind": "weighted_pod"}, {"kind": "vibration_modes"}),
    }  # fmt: skip
    window.context.apply("Add study", edits.add_analysis(words))
    window.context.selection.select(("analyses", 1))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, seconds=120)
    window.show_panel("convergence")
    settle(qtbot)
    return window.docks.panels["convergence"]


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_convergence_is_plotted_listed_and_gives_static_errors(qtbot, window, studied, tmp_path, monkeypatch):
    panel, results = studied, window.context.computed.results("study")
    rows = results.table(TABLE)[1]
    at = {name: i for i, name in enumerate(COLUMNS)}
    first = rows[(rows[:, at["load"]] == 0) & (rows[:, at["method"]] == 0)]
    curves = panel.plot.curves
    assert len(curves) == 2
    np.testing.assert_allclose(curves[0].xData, [0, 2, 6])
    np.testing.assert_allclose(curves[0].yData, 100 * np.abs(first[:, at["motion error"]]))
    assert panel.plot.widget.getAxis("left").logMode
    assert panel.view.model().rowCount() == 7

    # The change to the most modes is zero for these, and so not on a logarithmic axis.
    panel.against.setCurrentIndex(1)
    panel.against.activated.emit(1)
    panel.measure.setCurrentIndex(1)
    panel.measure.activated.emit(1)
    np.testing.assert_allclose(
        panel.plot.curves[0].yData, [*100 * np.abs(first[:2, at["gap norm change"]]), np.nan]
    )
    panel.load.setCurrentIndex(panel.load.findText("All loads"))
    panel.load.activated.emit(panel.load.currentIndex())
    assert len(panel.plot.curves) == 4
    assert panel.view.model().rowCount() == len(rows)

    # Sorted by a click on a heading, copied and written as it is shown.
    head = panel.view.horizontalHeader()
    column = [c.title for c in panel.view.table.columns].index("Gap norm error [%]")
    panel.view.scrollTo(panel.view.model().index(0, column))
    settle(qtbot)
    at_head = QPoint(head.sectionViewportPosition(column) + 10, head.height() // 2)
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at_head)
    qtbot.mouseClick(panel.copy, Qt.MouseButton.LeftButton)
    copied = list(csv.reader(QGuiApplication.clipboard().text().splitlines(), delimiter="\t"))
    assert copied[0][:3] == ["Method", "Modes", "Load"]
    errors = [float(row[column]) for row in copied[1:]]
    assert errors == sorted(errors) and len(errors) == len(rows)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "errors"), ""))
    qtbot.mouseClick(panel.export, Qt.MouseButton.LeftButton)
    written = list(csv.reader((tmp_path / "errors.csv").read_text(encoding="utf-8").splitlines()))
    assert written == copied

    # Points of a study are no load factors.
    window.show_panel("curves")
    settle(qtbot)
    assert window.docks.panels["curves"].plot.widget.getAxis("bottom").labelText == "Point of the study"
    statics = show_page(qtbot, window, "Static errors").statics.model()
    loads = [statics.index(row, 0).data() for row in range(statics.rowCount())]
    assert loads == ["force (0, 0, -20) N at tip", "force (0, 0, 20) N at tip"]
    assert 0.0 < float(statics.index(0, 1).data()) < 5.0


@pytest.mark.slow  # pictures for people to look at
def test_pictures_of_all_pages(qtbot, window, studied, shoot):
    panel = show_page(qtbot, window, "Frequencies")
    qtbot.mouseClick(panel.compute, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window)
    every = tuple(range(panel.names.count()))
    for theme, size, rows in (("light", SIZES[0], every), ("dark", SIZES[1], every[::2])):
        window.choose_theme(theme)
        window.resize(*size)
        settle(qtbot, 200)
        window.docks.arrange()
        window.show_panel("convergence")
        shoot(window, "7-convergence", theme, size)
        window.show_panel("quality")
        seen = []
        for row in rows:
            panel.names.setCurrentRow(row)
            shoot(window, f"6-quality-{row}", theme, size)
            seen.append(pixels(panel.grab().toImage()).astype(int))
        assert all(np.abs(a - b).mean() > 0.5 for a, b in itertools.pairwise(seen))
