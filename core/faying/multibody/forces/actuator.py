"""An actuator between two parts: a force along the line of two markers."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from faying.load_histories import load_histories
from faying.multibody.characteristics import characteristics
from faying.multibody.following import (
    Measured,
    bound_to_measure,
    characteristic_parameter,
    measure_parameter,
)
from faying.multibody.forces import AXIAL_FORCE, LENGTH, Force, PairForce, Reading, ScalarOfMotion, forces
from faying.multibody.forces._line import changes_along_line, line_of
from faying.multibody.markers import MarkerMotion
from faying.params import member_of, parameter


@forces.register("actuator")
class Actuator(PairForce):
    """A force over time along the line between two markers: it pushes them apart, or pulls where it is negative."""

    readings: ClassVar[tuple[Reading, ...]] = (AXIAL_FORCE, LENGTH)

    push: float = parameter(
        1.0,
        title="Force",
        quantity="force",
        meaning="Pushes the markers apart; negative pulls them together.",
    )
    time_history: member_of(load_histories) = parameter(  # type: ignore[valid-type]
        {"kind": "constant"}, title="Load history", meaning="How it grows over time."
    )
    measure: str = measure_parameter()
    characteristic: member_of(characteristics) | None = characteristic_parameter()  # type: ignore[valid-type]

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one that pushes; the contract of dampers and springs asks for what follows from the state alone."""
        return {**super().example(), "push": 0.0}

    def bound(self, constraints: Mapping[str, Any], measures: Mapping[str, ScalarOfMotion]) -> Force:
        """Return the force as it follows its measure, if it names one.

        Raises:
            ModelError: when there is no such measure, or its value is not known before the force is.
        """
        return bound_to_measure(self, MeasuredActuator, measures)

    def on_second(
        self, i: MarkerMotion, j: MarkerMotion, time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return force (3,) away from the first marker, and no moment."""
        return self._amount(time) * line_of(i, j)[2], np.zeros(3)

    def changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (12, 12) changes of both wrenches with virtual motions of the markers and with their velocities."""
        i, j = markers
        if line_of(i, j)[0] == 0.0:  # no line
            return super().changes(markers, time, angles)
        return changes_along_line(i, j, -self._amount(time), 0.0, 0.0)

    def read(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> tuple[float, ...]:
        """Return the pull, and the distance of the markers."""
        i, j = markers
        return -self._amount(time), line_of(i, j)[0]

    def _amount(self, time: float) -> float:
        return self.push * float(self.time_history.factor(time))


class MeasuredActuator(Measured, Actuator):
    """An actuator that follows a measure."""
