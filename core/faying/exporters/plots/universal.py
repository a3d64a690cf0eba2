"""Responses over frequency as a universal file: dataset 58, function at nodal degree of freedom.

Written from the public description of the format (Structural Dynamics Research Laboratory, University of Cincinnati,
"Universal Dataset Number 58", revision of 30 June 1999, and 164 for the units): fixed columns, complex double precision
over unevenly spaced frequencies (case 8).
"""

from datetime import datetime
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.exporters.output import replacing
from faying.exporters.plots import PictureSettings, PlotWriter, plot_writers
from faying.exporters.universal_text import MARK, fixed, units
from faying.plot import Plot, ResponsePlace, Series

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_RESPONSE_FUNCTION, _SPECTRUM = 4, 12
_COMPLEX_DOUBLE, _UNEVEN = 6, 0
_GENERAL, _FREQUENCY, _FORCE = 1, 18, 13
_Words = tuple[int, int, int, int, str, str]
_NOTHING: _Words = (0, 0, 0, 0, "NONE", "NONE")
_OTHER: _Words = (_GENERAL, 0, 0, 0, "Value", "NONE")
# By quantity: data type of dataset 58, exponents of length, force and temperature, title, unit.
_ORDINATES: dict[str, _Words] = {
    "length": (8, 1, 0, 0, "Displacement", "m"),
    "velocity": (11, 1, 0, 0, "Velocity", "m/s"),
    "acceleration": (12, 1, 0, 0, "Acceleration", "m/s^2"),
    "angle": (8, 0, 0, 0, "Rotation", "rad"),
    "stiffness": (_FORCE, 0, 1, 0, "Force", "N"),
}
_LOADS: dict[bool, _Words] = {
    True: (_FORCE, 0, 1, 0, "Force", "N"),
    False: (_FORCE, 1, 1, 0, "Moment", "N.m"),
}


@plot_writers.register("unv")
class UniversalFile(PlotWriter):
    """Complex responses over frequency in SI units, a dataset 58 for each; per force where one load acts alone."""

    title: ClassVar[str] = "Universal file, dataset 58 (UNV)"

    def write(self, plot: Plot, path: Path, settings: PictureSettings) -> None:
        """Write the responses that the plot shows; the settings of pictures have no effect.

        Raises:
            ModelError: when no curve comes from a response with a phase.
        """
        told = [series for series in plot.series if series.response is not None]
        if not told:
            raise ModelError(
                f"{path.name}: none of these curves is a response over frequency with a phase.",
                "Choose displacements, velocities or accelerations of a frequency response.",
            )
        with replacing(path) as target, target.open("w", encoding="ascii", newline="\n") as stream:
            stream.write(
                "\n".join([*units(), *(line for s in told for line in _function(plot.title, s)), ""])
            )


def _function(title: str, series: Series) -> list[str]:
    """Return the lines of dataset 58 of one response."""
    frequencies, values, place = series.frequencies, series.response, series.place or ResponsePlace(0)
    assert frequencies is not None and values is not None
    is_ratio = place.reference_node > 0 or series.quantity == "stiffness"
    denominator = _NOTHING
    if series.quantity == "stiffness":
        denominator = _ORDINATES["length"]
    elif is_ratio:
        values, denominator = values / place.size, _LOADS[place.reference_direction <= 3]
    known = np.isfinite(values)
    frequencies, values = frequencies[known], values[known]
    kind = _RESPONSE_FUNCTION if is_ratio else _SPECTRUM
    at = f" {fixed('NONE', 10)}{place.node:10d}{place.direction:4d}"
    by = f" {fixed('NONE', 10)}{place.reference_node:10d}{place.reference_direction:4d}"
    first = frequencies[0] if len(frequencies) else 0.0
    ordinate = _ORDINATES.get(series.quantity, _OTHER)
    lines = [
        MARK, f"{58:6d}",
        fixed(series.name, 80), fixed(title, 80), _moment(datetime.now()), "NONE", "NONE",
        f"{kind:5d}{0:10d}{0:5d}{0:10d}{at}{by}",
        f"{_COMPLEX_DOUBLE:10d}{len(values):10d}{_UNEVEN:10d}{first:13.5e}{0.0:13.5e}{0.0:13.5e}",
        *(_axis(*words) for words in ((_FREQUENCY, 0, 0, 0, "Frequency", "Hz"), ordinate, denominator, _NOTHING)),
        *(f"{f:13.5e}{z.real:20.12e}{z.imag:20.12e}" for f, z in zip(frequencies, values, strict=True)),
        MARK,
    ]  # fmt: skip
    return [line.rstrip() for line in lines]


def _moment(now: datetime) -> str:
    """Return a date such as 01-Mar-26 12:00:00, in English in any locale."""
    return f"{now:%d}-{_MONTHS[now.month - 1]}-{now:%y %H:%M:%S}"


def _axis(kind: int, length: int, force: int, temperature: int, title: str, unit: str) -> str:
    return f"{kind:10d}{length:5d}{force:5d}{temperature:5d} {fixed(title, 20)} {fixed(unit, 20)}"
