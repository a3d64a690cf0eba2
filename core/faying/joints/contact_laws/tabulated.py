"""A contact law from a table of gaps and pressures, from a measurement or another computation."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from pydantic import ValidationInfo, field_validator

from faying.errors import ReadError
from faying.joints.contact_laws import ContactLaw, contact_laws
from faying.number_tables import read_columns
from faying.params import parameter

if TYPE_CHECKING:
    from scipy.interpolate import CubicHermiteSpline


@contact_laws.register("tabulated")
class Tabulated(ContactLaw):
    """Pressure through the points of a table, monotone and without corners between them.

    Piecewise cubic by Fritsch and Carlson (PCHIP): it passes through every point and stays between neighbouring values.
    Below the smallest gap the pressure grows with the last slope, or if that is level with the slope between the last
    two points; it is zero beyond the largest gap, where the table is zero.
    """

    title: ClassVar[str] = "Table"
    advice: ClassVar[str] = "A measured curve of pressure over gap."

    path: str = parameter(
        "", title="File", choices="file",
        meaning="CSV file, a gap and a pressure in each line, in the project's units; the first lines may be headings. "
        "A relative path counts from the study or project file. Empty for the numbers given here.",
    )  # fmt: skip
    gaps: tuple[float, ...] = parameter(
        (0.0, -1e-4, -2e-4, -4e-4), title="Gaps", quantity="length",
        meaning="Gaps of the table, in any order; used without a file.",
    )  # fmt: skip
    pressures: tuple[float, ...] = parameter(
        (0.0, 2.5, 10.0, 40.0), title="Pressures", quantity="stress",
        meaning="Pressure at each gap; zero at the largest and greater at every smaller one.",
    )  # fmt: skip

    @field_validator("pressures")
    @classmethod
    def _monotone(cls, pressures: tuple[float, ...], others: ValidationInfo) -> tuple[float, ...]:
        if "gaps" in others.data:
            _ordered(others.data["gaps"], pressures)
        return pressures

    def pressure(self, gap: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, dp/dgap).

        Raises:
            ReadError: when the file cannot be read or its table is not monotone.
        """
        curve, slope, lowest, highest = self._curve
        held = np.clip(gap, lowest, highest)
        closed = gap < highest
        dp = np.where(closed, np.minimum(slope(held), 0.0), 0.0)
        p = np.where(closed, np.maximum(curve(held), 0.0) + dp * (gap - held) * (gap < lowest), 0.0)
        return p, dp

    def corners(self) -> tuple[float, ...]:
        """Return the gaps of the table."""
        return tuple(self._curve[0].x)

    def closing_gap(self) -> float:
        """Return the largest gap of the table, where its pressure is zero."""
        return self._curve[3]

    def loaded(self) -> "Tabulated":
        """Return the law with the file's numbers inside itself.

        Raises:
            ReadError: as `pressure`.
        """
        if not self.path:
            return self
        gaps, pressures = read_table(Path(self.path))
        return self.with_(path="", gaps=tuple(gaps), pressures=tuple(pressures))

    @property
    def _curve(self) -> "_Curve":
        if not self.path:
            return _curve_of_numbers(self.gaps, self.pressures)
        try:
            stat = Path(self.path).stat()
        except OSError:
            stat = None
        return _curve_of_file(self.path, (stat.st_mtime_ns, stat.st_size) if stat else None)


_Curve = tuple["CubicHermiteSpline", "CubicHermiteSpline", float, float]
_LEVEL = 1e-3  # of the slope between the last two points: smaller slopes count as level


@lru_cache(maxsize=32)
def _curve_of_numbers(gaps: tuple[float, ...], pressures: tuple[float, ...]) -> _Curve:
    """Return curve, slope, lowest and highest gap."""
    from scipy.interpolate import (
        CubicHermiteSpline,
        PchipInterpolator,
    )  # late: half a second that few runs need

    g, p = _ordered(gaps, pressures)
    curve: CubicHermiteSpline = PchipInterpolator(g, p)
    # PCHIP ends level if the table is strongly curved. A contact has to resist there, and with the slope between the
    # last two points it is monotone, too.
    slopes, last = curve(g, 1), (p[1] - p[0]) / (g[1] - g[0])
    if abs(slopes[0]) < _LEVEL * abs(last):
        curve = CubicHermiteSpline(g, p, [last, *slopes[1:]])
    return curve, curve.derivative(), float(g[0]), float(g[-1])


@lru_cache(maxsize=32)
def _curve_of_file(path: str, stamp: tuple[int, int] | None) -> _Curve:
    """Return the same for a file; by its stamp (time and size) the cache recognises a changed file."""
    gaps, pressures = read_table(Path(path))
    return _curve_of_numbers(tuple(gaps), tuple(pressures))


def read_table(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return gaps, ascending, and pressures of a CSV file with two columns (comma, semicolon, tab or blank).

    Raises:
        ReadError: when the file cannot be read, has no two columns of numbers, or is not monotone.
    """
    rows = read_columns(path, "a contact law", "gap, pressure")
    try:
        return _ordered(*zip(*rows, strict=True))
    except ValueError as error:
        raise ReadError(path, None, f"the pressures {error}.", "Fix the table.") from None


def _ordered(gaps: tuple[float, ...], pressures: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return both with ascending gaps; a ValueError describes invalid pressures."""
    if len(gaps) != len(pressures) or len(gaps) < 2:
        raise ValueError(
            f"have to be as many as the gaps, at least two: {len(gaps)} gaps, {len(pressures)} pressures"
        )
    order = np.argsort(gaps)
    g, p = np.asarray(gaps, float)[order], np.asarray(pressures, float)[order]
    if not (np.isfinite(g).all() and np.isfinite(p).all()):
        raise ValueError("and gaps have to be finite numbers")
    for i in range(len(g) - 1):
        if g[i] == g[i + 1]:
            raise ValueError(f"are two at the gap {g[i]:g}")
        if not p[i] > p[i + 1]:
            raise ValueError(
                f"have to fall with the gap, but are {p[i]:g} at {g[i]:g} and {p[i + 1]:g} at {g[i + 1]:g}"
            )
    if p[-1] != 0.0:
        raise ValueError(f"have to be zero at the largest gap, {g[-1]:g}, where the surfaces part")
    return g, p
