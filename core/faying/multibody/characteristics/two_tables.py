"""A characteristic that differs between loading and unloading, as of leaf springs and rubber."""

import math
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import PrivateAttr, field_validator

from faying.multibody.characteristics import Characteristic, characteristics
from faying.multibody.characteristics.table import Interpolation, Points, TableCharacteristic, check_points
from faying.params import build, parameter


@characteristics.register("two_tables")
class TwoTables(Characteristic):
    """One table while x rises, another one while it falls: f = (f₊ + f₋)/2 + (f₊ − f₋)/2 tanh(ẋ/v).

    The mean of both stores energy, and is f at rest; a cycle takes the area between them. Springs, bushings and stops
    have a rate ẋ; a force that follows a measure has none, and takes the mean.
    """

    title: ClassVar[str] = "Two tables (loading, unloading)"

    loading_path: str = parameter(
        "", title="File of loading", choices="file",
        meaning="CSV file, x and f in each line, in the project's units and rad. Empty for the points given here.",
    )  # fmt: skip
    loading: Points = parameter(
        ((-1.0, -0.9), (1.0, 1.1)), title="Loading", min_length=2,
        meaning="Pairs of x and f while x rises, in order of x; used without a file.",
    )  # fmt: skip
    unloading_path: str = parameter(
        "", title="File of unloading", choices="file",
        meaning="CSV file, x and f in each line, in the project's units and rad. Empty for the points given here.",
    )  # fmt: skip
    unloading: Points = parameter(
        ((-1.0, -1.1), (1.0, 0.9)), title="Unloading", min_length=2,
        meaning="Pairs of x and f while x falls, in order of x; used without a file.",
    )  # fmt: skip
    transition: float = parameter(
        1.0, title="Transition rate", gt=0.0,
        meaning="Rate v of x at which f has gone 76 % of the way from the mean to the table, in the project's units; "
        "small against the rates that occur.",
    )  # fmt: skip
    interpolation: Interpolation = parameter(
        "monotone", title="Between points",
        meaning="linear: straight lines; monotone: cubic, between neighbouring values (Fritsch and Carlson); akima: "
        "cubic, smoother, may overshoot a little.",
    )  # fmt: skip
    _tables: Any = PrivateAttr(None)

    @field_validator("loading", "unloading")
    @classmethod
    def _in_order(cls, points: Points) -> Points:
        check_points(points)
        return points

    def value(self, x: float) -> float:
        """Return the mean of both tables."""
        return self._mean("value", x)

    def slope(self, x: float) -> float:
        """Return the slope of the mean."""
        return self._mean("slope", x)

    def integral(self, x: float) -> float:
        """Return the integral of the mean."""
        return self._mean("integral", x)

    def moving(self, x: float, rate: float) -> float:
        """Return f between both tables by the rate."""
        up, down = self._both("value", x)
        return float(0.5 * (up + down) + 0.5 * (up - down) * math.tanh(rate / self.transition))

    def moving_slopes(self, x: float, rate: float) -> tuple[float, float]:
        """Return the derivatives over x and over its rate."""
        (up, down), (rise, fall) = self._both("value", x), self._both("slope", x)
        side = math.tanh(rate / self.transition)
        return (
            0.5 * (rise + fall) + 0.5 * (rise - fall) * side,
            0.5 * (up - down) * (1.0 - side**2) / self.transition,
        )

    def lines(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """Return both tables (n,) over x (n,)."""
        both = np.array([self._both("value", each) for each in x.tolist()])
        return {"loading": both[:, 0], "unloading": both[:, 1]}

    def given_points(self) -> dict[str, Points]:
        """Return the points of the tables that are not in files."""
        loading = {} if self.loading_path else {"loading": self.loading}
        return loading | ({} if self.unloading_path else {"unloading": self.unloading})

    def span(self) -> tuple[float, float]:
        """Return the first and last x of both tables."""
        ends = [table.span() for table in self._pair()]
        return min(low for low, _ in ends), max(high for _, high in ends)

    def ends(self) -> tuple[float, float]:
        """Return between which values of x both tables are known."""
        (low, high), (lowest, highest) = self._both("ends")
        return max(low, lowest), min(high, highest)

    def loaded(self) -> Self:
        """Return the tables with the points of their files in themselves.

        Raises:
            ReadError: when a file cannot be read.
        """
        if not (self.loading_path or self.unloading_path):
            return self
        up, down = (table.loaded() for table in self._pair())
        return self.with_(loading_path="", unloading_path="", loading=up.points, unloading=down.points)

    def _mean(self, what: str, x: float) -> float:
        up, down = self._both(what, x)
        return float(0.5 * (up + down))

    def _both(self, what: str, *x: float) -> tuple[Any, Any]:
        up, down = self._pair()
        return getattr(up, what)(*x), getattr(down, what)(*x)

    def _pair(self) -> tuple[TableCharacteristic, TableCharacteristic]:
        if self._tables is None:
            known = ((self.loading_path, self.loading), (self.unloading_path, self.unloading))
            self._tables = tuple(
                build(
                    TableCharacteristic,
                    {"path": path, "points": points, "interpolation": self.interpolation},
                )
                for path, points in known
            )
        return self._tables  # type: ignore[no-any-return]
