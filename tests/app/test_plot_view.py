"""The widget that draws plots: its cursor, and the range that a user has zoomed to."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from faying.plot import Axis, Plot, Series
from faying_app.look.theme import theme
from faying_app.plotting.histogram import HistogramView
from faying_app.plotting.view import PlotView
from support.windows import move_pointer, settle

pytestmark = pytest.mark.window


def plot_of(*heights: float) -> Plot:
    x = np.linspace(0.0, 10.0, 11)
    series = tuple(Series(f"to {h:g}", x, h * x, i) for i, h in enumerate(heights))
    return Plot("lines", Axis("Time", "s"), Axis(""), series)


@pytest.fixture
def view(qtbot):
    view = PlotView()
    qtbot.addWidget(view)
    view.resize(600, 300)
    view.show()
    view.show_plot(plot_of(1.0))
    settle(qtbot)
    return view


def pixel_of(view: PlotView, x: float) -> QPoint:
    """Return where the value is on the widget, at half the height of the axes."""
    box = view.widget.plotItem.vb
    low, high = box.viewRange()[1]
    at = box.mapViewToScene(QPointF(x, 0.5 * (low + high)))
    return view.widget.mapFromScene(at)


def test_each_upright_axis_has_its_own_scale(qtbot, view):
    """The phase of a response: 0 to −180°, beside magnitudes in powers of ten."""
    x, amounts = np.linspace(1.0, 9.0, 9), np.linspace(1.0, 100.0, 9)
    for left, right in ((True, False), (False, True), (True, True), (False, False)):
        other = amounts if right else np.linspace(0.0, -180.0, 9)
        series = Series("size", x, amounts), Series("phase", x, other, 1, right=True)
        axes = (Axis(name, logarithmic=scale) for name, scale in (("size", left), ("phase", right)))
        plot = Plot("response", Axis("Frequency", "Hz"), next(axes), series, right=next(axes))
        view.show_plot(plot)
        view.fit()
        settle(qtbot)
        assert [view.widget.getAxis(side).logMode for side in ("left", "right")] == [left, right]
        low, high = view.widget.getAxis("right").range
        ends = np.log10([1.0, 100.0]) if right else sorted(other[[0, -1]])
        assert low <= ends[0] + 1e-9 and high >= ends[1] - 1e-9 and high - low < 2.0 * (ends[1] - ends[0])
        assert np.isfinite(view.places_of(series[1])).all()


def test_the_cursor_is_dragged_by_the_mouse_and_outlives_plots_and_themes(qtbot, view):
    assert view.cursor_line.scene() is None  # nobody placed it
    heard: list[float] = []
    view.cursor_dragged.connect(heard.append)
    view.place_cursor(2.0)
    settle(qtbot)
    assert heard == []
    view.show_plot(plot_of(1.0, 2.0))
    view.apply_theme()
    settle(qtbot)
    assert view.cursor_line.scene() is not None
    assert view.cursor_line.value() == 2.0
    port = view.widget.viewport()
    move_pointer(port, pixel_of(view, 2.0))
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=pixel_of(view, 2.0))
    for x in (3.0, 5.0, 7.0):
        qtbot.mouseMove(port, pixel_of(view, x))
        settle(qtbot, 40)
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=pixel_of(view, 7.0))
    settle(qtbot)
    assert heard
    assert heard[-1] == pytest.approx(7.0, abs=0.2)


def test_cursor_and_mark_are_where_a_logarithmic_axis_has_their_values(qtbot, view):
    frequencies = np.array([1.0, 10.0, 100.0, 1000.0])
    axes = Axis("f", "Hz", logarithmic=True), Axis("a", "mm", logarithmic=True)
    curve = Series("a", frequencies, 0.01 * frequencies)
    heard: list[tuple[float, ...]] = []
    view.cursor_dragged.connect(lambda x: heard.append((x,)))
    view.mark_dragged.connect(lambda x, y: heard.append((x, y)))
    view.place_cursor(100.0)  # on the axis that there is; the next one has another scale
    view.show_plot(Plot("response", *axes, (curve,), mark=(10.0, 0.1)))
    settle(qtbot)
    box, line = view.widget.plotItem.vb, view.cursor_line
    low, high = box.viewRange()[0]
    assert low < line.value() < high
    assert line.value() == pytest.approx(view.curves[0].getData()[0][2])
    assert (view.mark.pos().x(), view.mark.pos().y()) == pytest.approx((1.0, -1.0))
    port, (start, end) = view.widget.viewport(), (pixel_of(view, at) for at in (2.0, 2.5))
    move_pointer(port, start)
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
    for share in (0.4, 0.8, 1.0):
        qtbot.mouseMove(port, start + (end - start) * share)
        settle(qtbot, 40)
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=end)
    settle(qtbot)
    assert heard[-1] == (pytest.approx(10.0**2.5, rel=0.1),)
    view.mark.setPos(2.0, 0.0)
    assert heard[-1] == pytest.approx((100.0, 1.0))
    view.place_cursor(0.0)  # nowhere on such an axis
    assert not line.isVisible()
    view.show_plot(plot_of(1.0))
    assert line.isVisible() and line.value() == 0.0


def test_a_histogram_has_all_values_in_its_bars(qtbot):
    """Inverted elements have a negative quality, and were left out of the span from nought to one."""
    view = HistogramView("Scaled Jacobian", "Elements")
    qtbot.addWidget(view)
    for values, span in (([-0.4, -0.2, 0.5, 1.0], (-0.4, 1.0)), ([0.2, 0.5], (0.0, 1.0)), ([], (0.0, 1.0))):
        view.show_values(np.array(values), (0.0, 1.0))
        assert view.bars.opts["height"].sum() == len(values)
        half = 0.5 * (view.bars.opts["x"][1] - view.bars.opts["x"][0])
        assert (view.bars.opts["x"][0] - half, view.bars.opts["x"][-1] + half) == pytest.approx(span)


def test_a_range_stays_while_a_run_goes_on(qtbot, view):
    view.widget.setXRange(2.0, 4.0, padding=0.0)
    view.show_plot(plot_of(3.0))
    settle(qtbot)
    assert view.widget.viewRange()[0] == pytest.approx([2.0, 4.0])
    view.fit()
    settle(qtbot)
    low, high = view.widget.viewRange()[0]
    assert low <= 0.0
    assert high >= 10.0


def test_colours_are_those_of_its_own_theme(qtbot):
    dark = theme("dark")
    view = PlotView(dressed_in=dark)
    qtbot.addWidget(view)
    view.show_plot(plot_of(1.0))
    assert view.curves[0].opts["pen"].color().name() == dark.colour("curve_1").name()


@pytest.mark.parametrize("spread", [0.0, 1e-16, 0.5])
def test_a_logarithmic_axis_of_a_constant_curve_has_numbers(qtbot, view, spread):
    """A step size that stays the same is seen, and read: not a range of round-off beside the curve."""
    times = np.arange(5.0)
    steps = np.array([np.nan, 0.004, 0.004, 0.004 * (1.0 + spread), 0.004])
    axes = Axis("Time", "s"), Axis("Step size", "s", logarithmic=True)
    view.show_plot(Plot("steps", *axes, (Series("step size", times, steps),)))
    settle(qtbot)
    low, high = view.widget.plotItem.vb.viewRange()[1]
    assert low < np.log10(0.004) < np.log10(steps[3]) + 1e-12 < high
    labels = [n * 10.0**p for p in (-3, -2) for n in (1, 2, 5) if low <= np.log10(n * 10.0**p) <= high]
    assert len(labels) >= 2, (low, high)


def test_a_curve_of_zeros_has_an_axis_of_one(qtbot, view):
    """Also after other curves on the same axes, and where round-off is all that a curve has."""
    for before in (plot_of(40.0), None):
        if before is not None:
            view.show_plot(before)
            settle(qtbot)
        for noise in (0.0, 1e-300):
            view.show_plot(plot_of(noise))
            settle(qtbot)
            low, high = view.widget.plotItem.vb.viewRange()[1]
            assert low <= 0.0 <= high and high - low <= 2.5, (low, high)
