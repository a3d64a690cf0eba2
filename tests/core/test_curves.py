"""Spectra, orders and envelopes of curves that are known in closed form; curves as plots with two axes."""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.exporters.plots import PictureSettings, plot_writers
from faying.results.curve_key import CurveKey
from faying.results.curves import Curve, curve_plot, first_curves
from faying.results.decay import free_decay
from faying.results.results import Results
from faying.results.signals import envelope, order_spectrum, spectrum
from faying.results.writer import ResultsWriter
from support.keys import keys_of

TIMES = np.linspace(0.0, 2.0, 801)


def test_a_sine_shows_its_amplitude_at_its_frequency():
    frequencies, amplitudes = spectrum(TIMES, 3.0 + 0.5 * np.sin(2 * np.pi * 20.0 * TIMES))
    peak = amplitudes.argmax()
    assert frequencies[peak] == pytest.approx(20.0, abs=0.5)
    assert amplitudes[peak] == pytest.approx(0.5, rel=0.02)
    uneven = np.cumsum(np.random.default_rng(0).uniform(0.5, 1.5, 2000)) * 1e-3
    frequencies, amplitudes = spectrum(uneven, np.sin(2 * np.pi * 20.0 * uneven))
    assert frequencies[amplitudes.argmax()] == pytest.approx(20.0, abs=0.5)


def test_orders_stay_sharp_while_the_speed_rises():
    angle = 2 * np.pi * (5.0 * TIMES + 10.0 * TIMES**2)
    values = 0.7 * np.sin(2 * angle) + 0.1 * np.cos(0.5 * angle)
    orders, amplitudes = order_spectrum(np.angle(np.exp(1j * angle)), values)
    peak = amplitudes.argmax()
    assert orders[peak] == pytest.approx(2.0, abs=0.02)
    assert amplitudes[peak] == pytest.approx(0.7, rel=0.03)
    half = np.abs(orders - 0.5).argmin()
    assert amplitudes[half] == pytest.approx(0.1, rel=0.05)
    smeared = spectrum(TIMES, values)[1].max()
    assert smeared < 0.4  # over frequency the rising speed spreads it
    with pytest.raises(ModelError, match="at least one revolution"):
        order_spectrum(np.sin(TIMES), values)


def test_orders_of_a_part_that_turns_backwards_are_the_same():
    """Seen from behind, the same motion: the orders are a matter of the part, not of the sign of its angle."""
    angle = 2 * np.pi * (5.0 * TIMES + 10.0 * TIMES**2)
    values = 0.7 * np.sin(2 * angle)
    forwards, backwards = order_spectrum(angle, values), order_spectrum(-angle, values)
    np.testing.assert_allclose(backwards, forwards, rtol=1e-12, atol=1e-12)
    peak = backwards[1].argmax()
    assert backwards[0][peak] == pytest.approx(2.0, abs=0.02)
    assert backwards[1][peak] == pytest.approx(0.7, rel=0.03)


def test_the_envelope_of_a_decaying_swing_is_its_decay():
    decay = np.exp(-TIMES)
    low, high = envelope(TIMES, decay * np.cos(2 * np.pi * 15.0 * TIMES))
    inside = (TIMES > 0.1) & (TIMES < 1.9)
    np.testing.assert_allclose(high[inside], decay[inside], rtol=0.02)
    np.testing.assert_allclose(low[inside], -decay[inside], rtol=0.02)


def test_other_quantities_get_the_axis_at_the_right():
    time = Curve("Time", TIMES, "time")
    curves = (Curve("load uz", TIMES, "length"), Curve("kinetic energy", TIMES**2, "energy", 1))
    plot = curve_plot("run", time, curves, "mm-t-s")
    assert (plot.y.label, plot.right.label) == ("Displacement [mm]", "Energy [N·mm]")
    assert [s.right for s in plot.series] == [False, True]
    assert plot.x.label == "Time [s]"
    assert curve_plot("run", time, curves[:1], "mm-t-s").right is None
    assert curve_plot("run", time, curves, "mm-t-s", "spectrum").x.label == "Frequency [Hz]"
    over = curve_plot("loop", curves[0], (Curve("spring force x", TIMES, "force"),), "mm-t-s")
    assert (over.x.label, over.y.label) == ("load uz [mm]", "Force [N]")
    assert len(curve_plot("run", time, curves, "mm-t-s", "envelope").series) == 6


def test_each_of_several_quantities_keeps_its_unit_in_a_table(tmp_path):
    """Three quantities on two axes: one axis counts several, and has no unit of its own."""
    time = Curve("Time", TIMES, "time")
    names = (
        ("load uz", "length"),
        ("bolt force z", "force"),
        ("kinetic energy", "energy"),
        ("slipping share", ""),
    )
    share = CurveKey("slipping share", kind="joint", owner="lap")
    curves = tuple(
        Curve(name, TIMES, quantity, i, key=None if quantity else share)
        for i, (name, quantity) in enumerate(names)
    )
    plot = curve_plot("run", time, curves, "mm-t-s", chosen_units={"force": "kN"})
    assert plot.right.label == "Several quantities"
    assert [s.label for s in plot.series] == [
        "load uz",
        "bolt force z [kN]",
        "kinetic energy [N·mm]",
        "slipping share",
    ]
    plot_writers["csv"]().write(plot, tmp_path / "run.csv", PictureSettings())
    assert (tmp_path / "run.csv").read_text(encoding="utf-8").splitlines()[0] == (
        "Time [s],load uz: Displacement [mm],bolt force z: Force [kN],kinetic energy: Energy [N·mm],"
        "slipping share: Share"
    )


def test_a_spectrum_takes_more_frames():
    curves = (Curve("load uz", TIMES, "length"),)
    with pytest.raises(ModelError, match="at least 8 frames"):
        curve_plot("run", Curve("Time", TIMES[:5], "time"), curves, "mm-t-s", "spectrum")


def test_half_the_sampling_frequency_and_the_mean_count_once():
    """They have no negative frequency beside them, whose half the other lines take in."""
    count = 64
    times = np.arange(count) / count
    for values in (0.5 * (-1.0) ** np.arange(count), 0.5 * np.cos(2 * np.pi * 16.0 * times)):
        frequencies, amplitudes = spectrum(times, values)
        own = amplitudes[np.isclose(frequencies, 32.0 if values[1] < 0.0 else 16.0)]
        assert own == pytest.approx(0.5, rel=1e-9)
    turned = np.hanning(count + 1)[:-1]
    frequencies, amplitudes = spectrum(times, turned)
    assert amplitudes[0] == pytest.approx(((turned - turned.mean()) @ turned) / turned.sum(), rel=1e-9)


def test_a_decay_is_drawn_over_its_amplitude():
    """Of a linear oscillator of 15 Hz and 2 %: both ratios at all amplitudes, in the units of the plot."""
    omega, ratio = 2.0 * np.pi * 15.0, 0.02
    values = 3e-3 + 2e-3 * np.exp(-ratio * omega * TIMES) * np.cos(omega * np.sqrt(1.0 - ratio**2) * TIMES)
    curves = tuple(
        Curve(name, size * values, "length", i)
        for i, (name, size) in enumerate((("tip uz", 1.0), ("base uz", 0.1)))
    )
    plot = curve_plot(
        "ring-down", Curve("Time", TIMES, "time"), (*curves, Curve("force", values, "force")), "m-kg-s", "decay",
        chosen_units={"length": "mm"},
    )  # fmt: skip
    assert plot.x.unit == "mm" and plot.x.logarithmic and plot.x.title == "Amplitude of displacement"
    assert plot.y.title == "Damping ratio" and plot.right is not None and plot.right.unit == "Hz"
    names = [series.name for series in plot.series]
    assert names == [
        f"{own} {what}" for own in ("tip uz", "base uz") for what in ("damping ratio", "frequency")
    ]
    damping, frequency = plot.series[:2]
    assert (damping.right, frequency.right) == (False, True) and damping.style != frequency.style
    np.testing.assert_allclose(damping.y, ratio, rtol=5e-3)
    np.testing.assert_allclose(frequency.y, 15.0 * np.sqrt(1.0 - ratio**2), rtol=1e-3)
    assert 1.5 < damping.x[0] < 2.0 and damping.x[-1] < 0.1 * damping.x[0]
    np.testing.assert_allclose(plot.series[2].x, 0.1 * damping.x)


def test_a_decay_of_what_does_not_vibrate_names_the_curve():
    still = Curve("base uz", np.zeros_like(TIMES), "length")
    with pytest.raises(ModelError, match="base uz: A decay needs at least 4 crests"):
        curve_plot("run", Curve("Time", TIMES, "time"), (still,), "m-kg-s", "decay")
    with pytest.raises(ModelError, match="decays are over time"):
        curve_plot("run", Curve("Load", TIMES), (still,), "m-kg-s", "decay")


@pytest.mark.parametrize("analysis", [spectrum, envelope, free_decay])
def test_times_that_do_not_grow_are_refused(analysis):
    """Such as the size of the steps, over which a curve may be drawn as well."""
    for times in (np.r_[0.0, 0.0, TIMES[1:]], np.sin(50.0 * TIMES)):
        with pytest.raises(ModelError, match="times that grow"):
            analysis(times, np.sin(20.0 * np.arange(len(times))))


def test_a_curve_without_numbers_is_not_the_one_to_show_first(tmp_path):
    curves = {"a ux": [np.nan, 1.0], "b ux": [5.0, np.nan], "c ux": [np.nan, np.nan]}
    keys = keys_of(curves, interface=("a", "b", "c"))
    with ResultsWriter(tmp_path / "it.h5", axis="point", sizes={}, joints={}, curves=keys) as writer:
        for i in range(2):
            frame = [values[i] for values in curves.values()]
            writer.append(float(i), curves=dict(zip(keys, frame, strict=True)))
        writer.close({})
    assert first_curves(Results(tmp_path / "it.h5")) == {"b ux"}
