"""Plots of how a run goes: what they draw, and that they read nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from faying.analyses.recording.run_plots import run_plots
from faying.results.curve_key import CurveKey, curve_text
from faying.results.curves import first_curves, stored_curve
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from support.keys import keys_of

DRAWN = {
    "step size": 1e-4,
    "kinetic energy": 3.0,
    "elastic energy": 2.0,
    "lap closed share": 0.5,
    "lap slipping share": 0.125,
    "lap largest penetration": 0.01,
}
OTHERS = [
    CurveKey("displacement", "length", "interface", f"load {i}", axis) for axis in "xyz" for i in range(20)
]
FRAMES = 40


class Listening(Results):
    """Results that remember which curves were read."""

    def curve(self, name):
        self.asked = [*getattr(self, "asked", []), name]
        return super().curve(name)


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "run.h5"
    drawn = keys_of(DRAWN, joint=("lap",))
    values = dict(zip((*drawn, *OTHERS), (*DRAWN.values(), *[7.0] * len(OTHERS)), strict=True))
    with ResultsWriter(path, axis="time", body="bar", frame="", sizes={}, joints={}, curves=values) as writer:
        for i in range(FRAMES):
            writer.append(0.1 * i, curves={key: (1.0 + i) * value for key, value in values.items()})
        writer.close({})
    found = Listening(path)
    yield found
    found.close()


def test_steps_energies_contact_and_penetration_are_drawn(results):
    plots = {plot.title: plot for plot in run_plots(results, "mm-t-s")}
    assert list(plots) == ["Step size", "Energy", "Contact", "Penetration"]
    history = np.arange(1.0, FRAMES + 1)
    drawn = {series.name: series for plot in plots.values() for series in plot.series}
    expected = {
        "step size": 1e-4, "kinetic": 3.0, "elastic": 2.0, "lap closed": 50.0, "lap sticking": 37.5, "lap": 0.01,
    }  # fmt: skip
    assert set(drawn) == set(expected)
    for name, factor in expected.items():
        np.testing.assert_allclose(drawn[name].y, factor * history)
        np.testing.assert_allclose(drawn[name].x, 0.1 * (history - 1.0))


def test_only_the_curves_that_are_drawn_are_read(results):
    """The window asks twice a second while a run goes on, and systems store hundreds of curves."""
    run_plots(results, "mm-t-s")
    assert sorted(map(curve_text, results.asked)) == sorted(DRAWN)


@pytest.mark.parametrize(("axis", "scatter"), [("time", False), ("mode", True), ("case", True)])
def test_no_line_connects_frames_with_nothing_between_and_no_plot_is_empty(tmp_path, axis, scatter):
    path = tmp_path / "run.h5"
    keys = [CurveKey("step size"), CurveKey("kinetic energy")]
    with ResultsWriter(path, axis=axis, body="bar", frame="", sizes={}, joints={}, curves=keys) as writer:
        for i in range(3):  # of equilibria and modes, without time steps
            writer.append(1.0 + i, curves=dict(zip(keys, (0.0, 2.0), strict=True)))
        writer.close({})
    results = Results(path)
    (plot,) = run_plots(results, "mm-t-s")
    assert plot.title == "Energy" and plot.series[0].scatter == scatter
    assert stored_curve(results, keys[1]).scatter == scatter
    results.close()


def test_of_many_joints_the_extremes_are_drawn(tmp_path):
    path, quantities = tmp_path / "run.h5", ("closed share", "slipping share", "largest penetration")
    values = {
        CurveKey(quantity, "length" if quantity == quantities[2] else "", "joint", f"pad {i}"): 0.01 * (i + 1) * (k + 1)
        for i in range(12) for k, quantity in enumerate(reversed(quantities))
    }  # fmt: skip
    with ResultsWriter(path, axis="time", body="bar", frame="", sizes={}, joints={}, curves=values) as writer:
        writer.append(0.0, curves=values)
        writer.close({})
    results = Results(path)
    contact, penetration = run_plots(results, "mm-t-s")
    assert {series.name: series.y[0] for series in contact.series} == pytest.approx(
        {"closed, smallest of 12 joints": 3.0, "sticking, smallest of 12 joints": 1.0}
    )
    assert {s.name: s.y[0] for s in penetration.series} == pytest.approx({"largest of 12 joints": 0.12})
    results.close()


def test_the_first_curve_is_the_largest_motion_with_that_of_the_fe_model(tmp_path):
    at = [CurveKey("displacement", "length", "interface", "tip", axis) for axis in "xz"]
    keys = [*at, replace(at[1], full=True)]
    path = tmp_path / "run.h5"
    with ResultsWriter(
        path, axis="frequency", body="bar", frame="", sizes={}, joints={}, curves=keys
    ) as writer:
        writer.append(10.0, curves=dict(zip(keys, (0.5, 1.0, 1.01), strict=True)))
        writer.close({})
    results = Results(path)
    texts = results.curve_texts
    assert first_curves(results) == {texts[keys[1]], texts[keys[2]]}
    results.close()
