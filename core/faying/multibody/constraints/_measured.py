"""Drives that follow a measure of positions: a coupling of what is driven with what is measured."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from faying.multibody.constraints import Constraint
from faying.multibody.constraints._combined import displacement_row
from faying.multibody.following import Followed, followed
from faying.multibody.forces import ScalarOfMotion, differences
from faying.multibody.markers import MarkerMotion, moved
from faying.multibody.rows import Equations, angle_about_z, angle_row_about_z, unwrapped
from faying.params import build, parameter

_STEP = 1e-4  # of differences of rows, which are differences themselves
_REFUSED = (
    "drive", "it does not follow from positions alone, and a position that follows speeds, the time or a controller "
    "would jump",
    "Name a distance, a displacement, an angle, or a formula of these without t; for a controller, let an actuator "
    "follow it.",
)  # fmt: skip


def measure_parameter() -> Any:
    """Return the declaration of the measure that a drive follows."""
    return parameter(
        "", title="Follows the measure", choices="measure",
        meaning="Measure of positions or angles by whose characteristic the amount is multiplied, in place of the time "
        "history; empty for none. What it measures takes the reaction, as of a gear.",
    )  # fmt: skip


def characteristic_parameter() -> Any:
    """Return the declaration of what a drive makes of its measure."""
    return parameter(
        None, title="Characteristic of the measure",
        meaning="Factor over the measure, in the project's units; none for the value of the measure itself.",
    )  # fmt: skip


def bound_to_measure(
    drive: Any, of: Literal["displacement", "angle"], measures: Mapping[str, ScalarOfMotion]
) -> Constraint:
    """Return a drive as it acts among measures: itself where it follows none.

    Raises:
        ModelError: when there is no such measure, or it does not follow from positions alone.
    """
    if not drive.measure:
        return drive  # type: ignore[no-any-return]
    scalars, _ = followed(drive, measures, lambda each: each.of_place(), _REFUSED)
    names = ("name", "first", "second", "start", "amplitude", "measure", "characteristic")
    return build(
        MeasuredDrive, {**{name: getattr(drive, name) for name in names}, "of": of, "scalars": scalars}
    )


class MeasuredDrive(Constraint):
    """x − start − amplitude f(m) = 0 of a displacement or angle x and a measure m of positions: one equation.

    It drives no motion over time, and does no work: what the driven marker takes, the measured ones give.
    """

    first: str
    second: str
    of: str
    start: float
    amplitude: float
    measure: str
    characteristic: Any
    scalars: tuple[Any, ...]

    @property
    def followed(self) -> Followed:
        """The measures that it follows."""
        return Followed(self.scalars)

    def marker_names(self) -> tuple[str, ...]:
        """Return the driven markers, then those of the measures."""
        return self.first, self.second, *self.followed.marker_names

    def first_angles(self) -> np.ndarray:
        """Return (k,) zeros: turns of measured angles count from there."""
        return np.zeros(self.followed.memory_size)

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (k,) the measured angles."""
        return self.followed.remembered(markers[2:], 0.0, last)

    def equations(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> Equations:
        """Return how far it is from the measure, and the row with the derivatives of the measure by differences."""
        i, j, *seen = markers
        measured = self.followed.values(seen, 0.0, angles)[self.measure]
        amount, slope = measured, 1.0
        if self.characteristic is not None:
            amount, slope = self.characteristic.value(measured), self.characteristic.slope(measured)
        wanted = self.start + self.amplitude * amount

        def value(side: Sequence[MarkerMotion]) -> np.ndarray:
            return np.array([self.followed.values(side, 0.0, angles)[self.measure]])

        if self.of == "angle":
            missed, row = unwrapped(angle_about_z(i, j), wanted) - wanted, angle_row_about_z(i, j)
        else:
            missed, row = float((j.position - i.position) @ i.axes[:, 2]) - wanted, displacement_row(i, j)
        rows = np.hstack([row, -self.amplitude * slope * differences(value, seen)[0]])
        return Equations(np.array([missed]), rows, (f"{self.of} that follows {self.measure}",))

    def row_changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray, multipliers: np.ndarray
    ) -> np.ndarray:
        """Return (6 m, 6 m) the change of rowsᵀ λ by differences."""
        sides = [
            [
                self.equations(moved(markers, k, step), time, angles).rows.T @ multipliers
                for step in (_STEP, -_STEP)
            ]
            for k in range(6 * len(markers))
        ]
        return np.stack([(ahead - behind) / (2.0 * _STEP) for ahead, behind in sides], axis=1)
