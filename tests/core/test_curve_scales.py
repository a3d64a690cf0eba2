"""Statistics, levels, limits and peaks of curves; round-off is zero."""

import numpy as np
import pytest

from faying.plot import Axis, Plot, Series
from faying.results.curve_statistics import statistics_of
from faying.results.curves import Curve, CurveScales, curve_plot, peaks_of, scaled_plot, without_noise
from support.keys import keys_of

TIME = np.concatenate([np.linspace(0.0, 0.3, 50), np.linspace(0.3, 1.0, 2001)[1:]])  # unevenly spread


def plot_of(values, view="values"):
    return curve_plot(
        "run", Curve("Time", TIME, "time"), (Curve("tip uz", values, "length"),), "mm-t-s", view
    )


def test_means_are_over_time_however_frames_are_spread():
    """Closed forms: of a sine over one period the mean is 0, the root mean square its amplitude over root two."""
    (told,) = statistics_of(plot_of(3.0 * np.sin(2.0 * np.pi * TIME)), at=0.25)
    assert told.mean == pytest.approx(0.0, abs=2e-3) and told.rms == pytest.approx(
        3.0 / np.sqrt(2.0), rel=1e-3
    )
    assert (told.largest, told.smallest) == pytest.approx((3.0, -3.0), rel=1e-3)
    assert (told.at_largest, told.at_smallest) == pytest.approx((0.25, 0.75), abs=4e-3)
    assert told.here == pytest.approx(3.0, rel=1e-3) and told.unit == "mm"


def test_levels_are_decibel_over_one_unit():
    scaled = scaled_plot(plot_of(np.full(len(TIME), 10.0)), CurveScales(decibel=True))
    assert scaled.y.label == "Level of displacement [dB re 1 mm]"
    np.testing.assert_allclose(scaled.series[0].y, 20.0)
    assert np.isnan(scaled_plot(plot_of(np.zeros(len(TIME))), CurveScales(decibel=True)).series[0].y).all()


def test_spectra_end_where_they_are_to_and_times_do_not():
    even = np.linspace(0.0, 1.0, 1000)
    spectrum = curve_plot(
        "run", Curve("Time", even, "time"), (Curve("a ux", np.sin(even), "length"),), "mm-t-s", "spectrum"
    )
    assert scaled_plot(spectrum, CurveScales(highest_frequency=80.0)).x.limits == (0.0, 80.0)
    assert scaled_plot(plot_of(TIME), CurveScales(highest_frequency=80.0)).x.limits is None
    both = scaled_plot(plot_of(TIME), CurveScales(log_x=True, log_y=True))
    assert both.x.logarithmic and both.y.logarithmic


def test_peaks_are_those_that_stand_out():
    x = np.linspace(0.0, 100.0, 2001)
    y = 1.0 / ((x - 20.0) ** 2 + 1.0) + 0.3 / ((x - 60.0) ** 2 + 1.0) + 1e-3 * np.sin(40.0 * x)
    series = Series("a", x, y)
    assert x[peaks_of(series, 2)] == pytest.approx([20.0, 60.0], abs=0.2)
    assert x[peaks_of(series, 1)] == pytest.approx([20.0], abs=0.2)
    assert x[peaks_of(series, 1, below=15.0)].max() < 15.0
    assert Plot("", Axis("x"), Axis("y"), (series,), peaks=2).peaks == 2


UZ, UX, SHARE = keys_of(("tip uz", "tip ux", "lap closed share"), interface=("tip",), joint=("lap",))


class Stored:
    """Curves as results have them."""

    n_frames = 3

    def __init__(self):
        self.curves = {
            UZ: np.array([0.0, 0.5, 1.0]), UX: np.array([1e-16, -3e-14, 2e-9]),
            SHARE: np.array([1e-16, 0.0, 0.0]),
        }  # fmt: skip
        self.curve_keys = tuple(self.curves)

    def curve(self, key):
        return self.curves[key]


def test_round_off_is_drawn_as_zero():
    results = Stored()
    quiet = without_noise(results, Curve("tip ux", results.curve(UX), "length"))
    assert quiet.values.tolist() == [0.0, 0.0, 2e-9]  # nothing beside 1 mm, and something
    share = Curve("lap closed share", results.curve(SHARE))
    assert without_noise(results, share).values.tolist() == [1e-16, 0.0, 0.0]
