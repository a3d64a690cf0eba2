"""Measured points of a table, as curves: laid over those of other analyses, and fitted by parameters."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyAnalysis, BodyModel, analyses
from faying.errors import ModelError, ReadError
from faying.number_tables import HeadedColumn, read_headed_columns
from faying.params import Spec, parameter
from faying.progress import Progress
from faying.results.curve_key import CurveKey
from faying.results.curves import MEASURED
from faying.results.writer import ResultsWriter
from faying.units import QUANTITIES, UnitSystemName, read_quantity

MEASURED_FREQUENCY, MEASURED_DAMPING = CurveKey("natural frequency", "frequency"), CurveKey("damping ratio")
_AXES = {"length": "amplitude", "frequency": "frequency", "time": "time"}
_FIRST = ("length", "time", "frequency", "velocity", "acceleration", "force", "stress", "energy", "angle")
_LARGEST = 1_000_000  # points


class MeasuredColumnSpec(Spec):
    """What a column of the table is, where its heading does not say so."""

    heading: str = parameter(
        title="Heading", min_length=1, meaning="Heading of the column in the file, without its unit."
    )
    name: str = parameter(
        "", title="Name",
        meaning="Name of the curve, such as natural frequency, damping ratio or that of a curve of another analysis; "
        "empty for the heading.",
    )  # fmt: skip
    unit: str = parameter(
        "", title="Unit", meaning="Unit of its numbers, such as um, Hz or %; empty for that in the heading."
    )


@analyses.register("measured")
class MeasuredPoints(BodyAnalysis):
    """Points of a test from a CSV file: nothing is computed. They are laid over curves of other analyses.

    The first column is what the others are measured over: an amplitude (a length), a frequency or a time, by its unit.
    Over amplitudes, headings such as frequency or f and damping, zeta or D are those of a backbone.
    """

    title: ClassVar[str] = "Measured points"
    order: ClassVar[int] = 60
    needs_reduced: ClassVar[bool] = False
    knows_units: ClassVar[bool] = True

    file: str = parameter(
        "", title="File", choices="file",
        meaning="CSV file (comma, semicolon, tab or blank) with a line of headings and their units: "
        "amplitude [um]; frequency [Hz]; damping [%].",
    )  # fmt: skip
    columns: tuple[MeasuredColumnSpec, ...] = parameter(
        (), title="Columns",
        meaning="Names and units of columns whose headings do not have them; columns that are not named here are "
        "taken as their headings say.",
    )  # fmt: skip

    @property
    def sees_friction(self) -> bool:
        """False: nothing is computed."""
        return False

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Bring the points into the units of the project; each is a frame without a shape.

        Raises:
            ReadError: when the file is not what it should be.
            ModelError: when a column or its unit is not known.
        """
        if not self.file:
            raise ModelError(
                "No file of measured points is chosen.", "Choose a CSV file with headings and units."
            )
        path = Path(self.file)
        progress.report(0.0, f"reading {path.name}")
        axis, values, curves = self.points(path, body.units)
        with ResultsWriter(
            target, axis=axis, body=body.name, sizes={"coordinates": 0}, joints={}, curves=curves,
            settings=self.model_dump(mode="json"), flush_every=4096, unknown=True,
        ) as writer:  # fmt: skip
            for i, value in enumerate(values.tolist()):
                writer.append(
                    value,
                    {},
                    curves={key: float(each[i]) for key, each in curves.items()},
                    coordinates=np.zeros(0),
                )
            summary = {
                "file": path.name,
                MEASURED: len(values),
                "from": float(values[0]),
                "to": float(values[-1]),
            }
            writer.close(summary)
        progress.report(1.0, self.title)
        return summary

    def points(self, path: Path, units: UnitSystemName) -> tuple[str, np.ndarray, dict[CurveKey, np.ndarray]]:
        """Return the kind of axis, (n,) values along it, ascending, and (n,) of each curve, in the unit system.

        Cells that are empty are NaN.

        Raises:
            ReadError, ModelError: as `run`.
        """
        columns = read_headed_columns(path, "measured points")
        known = {column.heading: column for column in self.columns}
        if missing := [name for name in known if name not in {column.heading for column in columns}]:
            raise ModelError(
                f"{path.name} has no column {missing[0]!r}.",
                f"Its headings are: {', '.join(column.heading for column in columns)}.",
            )
        found = [_in_units(column, known.get(column.heading), units) for column in columns]
        (_, quantity, values), *others = found
        if quantity not in _AXES:
            raise ModelError(
                f"The first column of {path.name}, {columns[0].heading!r}, is neither an amplitude nor a frequency nor "
                "a time.",
                "Write its unit behind the heading, such as amplitude [um], or move that column to the front.",
            )
        axis = _AXES[quantity]
        if len(values) > _LARGEST:
            raise ReadError(path, None, f"it has more than {_LARGEST} points.", "Leave some out.")
        if not np.isfinite(values).all() or (axis != "time" and values.min() <= 0.0):
            raise ReadError(
                path, None, f"not every line has a {axis}{'' if axis == 'time' else ' above zero'}.",
                "Leave out the lines without.",
            )  # fmt: skip
        order = np.argsort(values, kind="stable")
        curves = {_key(name, q, axis): each[order] for name, q, each in others}
        return axis, values[order], curves


def measured_curve(path: Path, units: UnitSystemName) -> tuple[np.ndarray, np.ndarray]:
    """Return (n,) places and values of the first two columns of a file with headings, in the unit system.

    Lines without a number in one of them are left out.

    Raises:
        ReadError: when it has no two columns, or no line with both.
        ModelError: when a unit is not known.
    """
    columns = read_headed_columns(path, "measured points")
    if len(columns) < 2:
        raise ReadError(
            path, None, "it has one column.", "Write time, frequency or amplitude, and the measured value."
        )
    places, values = (_in_units(column, None, units)[2] for column in columns[:2])
    known = np.isfinite(places) & np.isfinite(values)
    if not known.any():
        raise ReadError(
            path, None, "no line has a number in both columns.", "Write numbers below the headings."
        )
    return places[known], values[known]


def _key(name: str, quantity: str, axis: str) -> CurveKey:
    """Return the key of a column; over amplitudes the field's words and symbols are those of a backbone."""
    word = name.lower()
    if axis == "amplitude" and (word in ("f", "natural frequency") or quantity == "frequency"):
        return MEASURED_FREQUENCY
    if axis == "amplitude" and (word in ("d", "zeta", "ζ", "xi") or word.startswith("damping")):
        return MEASURED_DAMPING
    return CurveKey(name, quantity)


def _in_units(
    column: HeadedColumn, said: MeasuredColumnSpec | None, units: UnitSystemName
) -> tuple[str, str, np.ndarray]:
    """Return name, quantity and (n,) values of a column in the unit system.

    Raises:
        ModelError: when its unit is not known.
    """
    name = (said.name if said is not None else "") or column.heading
    unit = (said.unit if said is not None else "") or column.unit
    values = np.array(column.values)
    if unit in ("", "1", "-"):
        return name, "", values
    if unit == "%":
        return name, "", 0.01 * values
    for quantity in dict.fromkeys((*_FIRST, *QUANTITIES)):
        try:
            return name, quantity, read_quantity(f"1 {unit}", quantity, units) * values
        except ModelError:
            continue
    raise ModelError(
        f"The unit {unit!r} of the column {column.heading!r} is not known.",
        "Write such as um, mm, Hz, s, N, %, or name the unit under Columns.",
    )
