"""A characteristic given by points, from a measurement or another computation."""

import itertools
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from pydantic import field_validator

from faying.errors import ReadError
from faying.multibody.characteristics import Characteristic, characteristics
from faying.number_tables import read_columns
from faying.params import parameter

if TYPE_CHECKING:
    from scipy.interpolate import PPoly

Points = tuple[tuple[float, float], ...]
Interpolation = Literal["linear", "monotone", "akima"]


@characteristics.register("table")
class TableCharacteristic(Characteristic):
    """A curve through points (x, f): straight lines, or piecewise cubic without overshoot.

    "monotone" stays between neighbouring values (Fritsch and Carlson 1980), "akima" follows single points less
    (Akima 1970).
    """

    path: str = parameter(
        "", title="File", choices="file",
        meaning="CSV file, x and f in each line, in the project's units and rad; the first lines may be headings. "
        "A relative path counts from the study or project file. Empty for the points given here.",
    )  # fmt: skip
    points: Points = parameter(
        ((-1.0, -1.0), (1.0, 1.0)), title="Points", min_length=2,
        meaning="Pairs of x and f in the project's units and rad, in order of x; used without a file.",
    )  # fmt: skip
    interpolation: Interpolation = parameter(
        "monotone", title="Between points",
        meaning="linear: straight lines; monotone: cubic, between neighbouring values (Fritsch and Carlson); akima: "
        "cubic, smoother, may overshoot a little.",
    )  # fmt: skip
    beyond: Literal["straight", "constant"] = parameter(
        "straight", title="Beyond the ends",
        meaning="straight: goes on with the slope at the end; constant: keeps the last value. A run reports how far it "
        "was beyond straight ends.",
    )  # fmt: skip

    @field_validator("points")
    @classmethod
    def _in_order(cls, points: Points) -> Points:
        check_points(points)
        return points

    def value(self, x: float) -> float:
        """Return f(x).

        Raises:
            ReadError: when the file cannot be read, or x does not rise in it; so do the other methods.
        """
        curve, held, out, slope = self._at(x)
        return float(curve.values(held)) + slope * out

    def slope(self, x: float) -> float:
        """Return f′(x)."""
        curve, held, out, slope = self._at(x)
        return slope if out else float(curve.slopes(held))

    def integral(self, x: float) -> float:
        """Return the exact integral of the pieces from 0 to x."""
        return self._area(x) - self._area(0.0)

    def given_points(self) -> dict[str, Points]:
        """Return the points, unless a file has them."""
        return {} if self.path else {"points": self.points}

    def span(self) -> tuple[float, float]:
        """Return the first and last x."""
        curve = self._curve()
        return curve.lowest, curve.highest

    def ends(self) -> tuple[float, float]:
        """Return the first and last x; infinite where its values are constant beyond, which is no guess."""
        if self.beyond == "constant":
            return super().ends()
        curve = self._curve()
        return curve.lowest, curve.highest

    def loaded(self) -> "TableCharacteristic":
        """Return the table with the file's points in itself.

        Raises:
            ReadError: as `value`.
        """
        return self.with_(path="", points=_points_of_file(self.path)) if self.path else self

    def _at(self, x: float) -> "tuple[_Pieces, float, float, float]":
        """Return the curve, x within its ends, how far beyond them it is, and the slope there."""
        curve = self._curve()
        held = min(max(x, curve.lowest), curve.highest)
        out = x - held
        return curve, held, out, float(curve.slopes(held)) if out and self.beyond == "straight" else 0.0

    def _area(self, x: float) -> float:
        """Return the integral from the first point to x, negative before it."""
        curve, held, out, slope = self._at(x)
        return float(curve.areas(held)) + (float(curve.values(held)) + 0.5 * slope * out) * out

    def _curve(self) -> "_Pieces":
        return _curve_of(_points_of_file(self.path) if self.path else self.points, self.interpolation)


class _Pieces(NamedTuple):
    values: "PPoly"
    slopes: "PPoly"
    areas: "PPoly"
    lowest: float
    highest: float


@lru_cache(maxsize=64)
def _curve_of(points: Points, interpolation: Interpolation) -> _Pieces:
    from scipy.interpolate import Akima1DInterpolator, PchipInterpolator, PPoly  # late: few runs need it

    x, f = np.array(points).T
    # Akima's slopes need neighbours of neighbours.
    if interpolation == "linear" or len(x) == 2:
        pieces = PPoly(np.array([np.diff(f) / np.diff(x), f[:-1]]), x)
    else:
        kind = Akima1DInterpolator if interpolation == "akima" else PchipInterpolator
        pieces = PPoly.construct_fast(kind(x, f).c, x)
    return _Pieces(pieces, pieces.derivative(), pieces.antiderivative(), float(x[0]), float(x[-1]))


def _points_of_file(path: str) -> Points:
    rows = tuple(read_columns(Path(path), "a characteristic", "x, value"))
    try:
        check_points(rows)
    except ValueError as error:
        raise ReadError(Path(path), None, f"the points {error}.", "Fix the table.") from None
    return rows


def check_points(points: Points) -> None:
    """Raise a ValueError that describes invalid points."""
    if not np.isfinite(points).all():
        raise ValueError("have to be finite numbers")
    if len(points) < 2:
        raise ValueError("have to be at least two")
    for (before, _), (after, _) in itertools.pairwise(points):
        if after <= before:
            raise ValueError(f"have to be in order of x, but {after:g} follows {before:g}")
