"""Statistics of a curve: smallest, largest, mean, root mean square, and the value at a given place."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faying.plot import Plot, Series


@dataclass(frozen=True)
class CurveStatistics:
    """Statistics of a drawn curve, in the units of its axes; NaN where it has no values.

    Attributes:
        name, unit: of the curve.
        smallest, largest: of its values.
        at_smallest, at_largest: first places along the axis at which they are reached.
        mean, rms: over the axis by the trapezoidal rule, so that uneven spacing of frames is allowed for; plain
            averages of the values where the axis is another curve and does not ascend.
        here: value at the requested place, linear between values.
    """

    name: str
    unit: str
    smallest: float
    at_smallest: float
    largest: float
    at_largest: float
    mean: float
    rms: float
    here: float


HEADS = ("Curve", "Unit", "Smallest", "at", "Largest", "at", "Mean", "RMS")


def statistics_of(plot: Plot, at: float | None = None) -> tuple[CurveStatistics, ...]:
    """Return the numbers of each named curve of a plot.

    Args:
        plot: the curves.
        at: place along the axis for `here`.
    """
    return tuple(_of(series, plot, at) for series in plot.series if series.name)


def _of(series: Series, plot: Plot, at: float | None) -> CurveStatistics:
    known = np.isfinite(series.y) & np.isfinite(series.x)
    x, y = np.asarray(series.x, float)[known], np.asarray(series.y, float)[known]
    unit = (series.counts or plot.axis_of(series)).unit
    if not len(y):
        none = float("nan")
        return CurveStatistics(series.name, unit, none, none, none, none, none, none, none)
    low, high = int(np.argmin(y)), int(np.argmax(y))
    along = len(x) > 1 and bool((np.diff(x) >= 0.0).all()) and x[-1] > x[0]
    mean, square = (_mean(x, values, along) for values in (y, y**2))
    here = float(np.interp(at, x, y)) if at is not None and along and x[0] <= at <= x[-1] else float("nan")
    return CurveStatistics(
        series.name,
        unit,
        float(y[low]),
        float(x[low]),
        float(y[high]),
        float(x[high]),
        mean,
        float(np.sqrt(square)),
        here,
    )


def _mean(x: np.ndarray, values: np.ndarray, along: bool) -> float:
    return float(np.trapezoid(values, x) / (x[-1] - x[0])) if along else float(values.mean())


def rows_of(found: Sequence[CurveStatistics], digits: int = 5) -> list[list[str]]:
    """Return the cells of the columns `HEADS`, as formatted text."""
    return [
        [one.name, one.unit, *(f"{value:.{digits}g}" for value in (
            one.smallest, one.at_smallest, one.largest, one.at_largest, one.mean, one.rms))]
        for one in found
    ]  # fmt: skip
