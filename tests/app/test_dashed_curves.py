"""Curves of periodic motions: parts that are not stable are dashed, in the window and in pictures."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from faying.results.curve_key import CurveKey
from faying.results.curves import STABLE, axis_curve, curve_plot, stored_curve
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from faying_app.plotting.pictures import PictureSettings, drawn_view

pytestmark = pytest.mark.window
MOVED = CurveKey("displacement", "length", "interface", "tip", "z")
AMPLITUDES = np.linspace(0.1, 2.0, 60)


def turning_curve(path):
    """Write a curve over frequency that turns back twice, unstable in between, as that of a Duffing oscillator."""
    frequencies = 100.0 + 8.0 * np.sin(2.2 * AMPLITUDES) + 12.0 * AMPLITUDES
    stable = (np.gradient(frequencies) > 0.0).astype(float)
    assert 0 < stable.sum() < len(stable)
    with ResultsWriter(
        path, axis="vibration", body="b", sizes={}, joints={}, curves=(MOVED, STABLE)
    ) as writer:
        for frequency, amplitude, holds in zip(frequencies, AMPLITUDES, stable, strict=True):
            writer.append(float(frequency), curves={MOVED: float(amplitude), STABLE: float(holds)})
        writer.close({})
    return stable


@pytest.mark.parametrize("dark", [False, True])
def test_unstable_parts_are_dashed(qapp, tmp_path, dark):
    stable = turning_curve(tmp_path / "c.h5")
    with closing(Results(tmp_path / "c.h5")) as results:
        plot = curve_plot("swept", axis_curve(results), (stored_curve(results, MOVED),), "mm-t-s")
    dashed = plot.series[0].dashed_parts
    np.testing.assert_array_equal(dashed[:-1], (stable[:-1] == 0.0) | (stable[1:] == 0.0))
    view = drawn_view(plot, PictureSettings((700, 420), dark))
    whole, dashes = view.lines
    assert whole.opts["pen"].style() == Qt.PenStyle.SolidLine
    assert dashes.opts["pen"].style() == Qt.PenStyle.DashLine
    # Together they are the curve, and nothing of it is drawn twice.
    np.testing.assert_array_equal(dashes.opts["connect"], dashed)
    np.testing.assert_array_equal(whole.opts["connect"], ~dashed)
    view.grab().save(str(tmp_path / "curve.png"))
    # A run in progress moves the same lines.
    series = replace(plot.series[0], y=2.0 * plot.series[0].y)
    view.show_plot(replace(plot, series=(series,)))
    assert view.lines == [whole, dashes]
    np.testing.assert_allclose(dashes.getOriginalDataset()[1], 2.0 * AMPLITUDES)
    # Curves without such parts are one line each.
    view.show_plot(replace(plot, series=(replace(series, dashed=None),)))
    assert len(view.lines) == 1
