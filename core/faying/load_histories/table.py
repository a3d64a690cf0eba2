"""A load history given by points."""

import itertools
from pathlib import Path
from typing import ClassVar

import numpy as np
from pydantic import PrivateAttr, field_validator

from faying.errors import ReadError
from faying.load_histories import LoadHistory, load_histories
from faying.number_tables import read_columns
from faying.params import parameter

Points = tuple[tuple[float, float], ...]


@load_histories.register("table")
class TabularHistory(LoadHistory):
    """Straight lines between points (time, factor); before the first and after the last it stays."""

    title: ClassVar[str] = "Table"

    path: str = parameter(
        "", title="File", choices="file",
        meaning="CSV file, time (in the project's unit) and factor in each line, in order of time; the first lines may "
        "be headings. A relative path counts from the study or project file. Empty for the points given here.",
    )  # fmt: skip
    points: Points = parameter(
        ((0.0, 0.0), (1.0, 1.0)), title="Points", min_length=1,
        meaning="Pairs of time (in the project's unit) and factor, in order of time; used without a file.",
    )  # fmt: skip
    _table: tuple[np.ndarray, np.ndarray, np.ndarray] | None = PrivateAttr(None)

    @field_validator("points")
    @classmethod
    def _in_order(cls, points: Points) -> Points:
        _check(points)
        return points

    def factor(self, time: float) -> float:
        """Return the factor between the points.

        Raises:
            ReadError: when the file cannot be read, or times do not grow in it; so do the other methods.
        """
        times, factors, _ = self._columns()
        return float(np.interp(time, times, factors))

    def given_points(self) -> dict[str, Points]:
        """Return the points, unless a file has them."""
        return {} if self.path else {"points": self.points}

    def integral(self, time: float) -> float:
        """Return the exact integral of the broken line."""
        return self._area(time) - self._area(0.0)

    def rates(self, time: float) -> tuple[float, float]:
        """Return the slope, at a point that to its right, and zero."""
        times, factors, _ = self._columns()
        after = int(np.searchsorted(times, time, side="right"))
        if after in (0, len(times)):
            return 0.0, 0.0
        return float((factors[after] - factors[after - 1]) / (times[after] - times[after - 1])), 0.0

    def _area(self, time: float) -> float:
        """Return the integral from the first point to a time, negative before that point."""
        times, factors, areas = self._columns()
        before = max(int(np.searchsorted(times, time, side="right")) - 1, 0)
        return float(areas[before] + 0.5 * (factors[before] + self.factor(time)) * (time - times[before]))

    def _columns(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return times, factors, and the integral from the first point to each, all (n,)."""
        if self._table is None:
            times, factors = np.array(_points_of_file(self.path) if self.path else self.points).T
            pieces = 0.5 * (factors[1:] + factors[:-1]) * np.diff(times)
            self._table = times, factors, np.append(0.0, np.cumsum(pieces))
        return self._table


def _points_of_file(path: str) -> Points:
    rows = tuple(read_columns(Path(path), "a load history", "time, factor"))
    try:
        _check(rows)
    except ValueError as error:
        raise ReadError(Path(path), None, f"{error}.", "Fix the table.") from None
    return rows


def _check(points: Points) -> None:
    """Raise a ValueError that describes points out of order."""
    if not np.isfinite(points).all():
        raise ValueError("times and factors have to be finite numbers")
    for (before, _), (after, _) in itertools.pairwise(points):
        if after <= before:
            raise ValueError(f"times have to grow, but {after:g} follows {before:g}")
