"""An actuator between two parts: a moment about an axis."""

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
from faying.multibody.forces import ANGLE, Force, PairForce, Reading, ScalarOfMotion, forces
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import angle_about_z, unwrapped
from faying.params import member_of, parameter
from faying.spatial.rotations import skew


@forces.register("rotary_actuator")
class RotaryActuator(PairForce):
    """A moment over time about the first marker's z axis on the second one, and its opposite on the first."""

    readings: ClassVar[tuple[Reading, ...]] = (ANGLE,)

    torque: float = parameter(
        1.0, title="Moment", quantity="moment", meaning="On the second marker, about the first one's z axis."
    )
    time_history: member_of(load_histories) = parameter(  # type: ignore[valid-type]
        {"kind": "constant"}, title="Load history", meaning="How it grows over time."
    )
    measure: str = measure_parameter()
    characteristic: member_of(characteristics) | None = characteristic_parameter()  # type: ignore[valid-type]

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one without a moment; the contract of springs asks for what follows from the state alone."""
        return {**super().example(), "torque": 0.0}

    def bound(self, constraints: Mapping[str, Any], measures: Mapping[str, ScalarOfMotion]) -> Force:
        """Return the force as it follows its measure, if it names one.

        Raises:
            ModelError: when there is no such measure, or its value is not known before the force is.
        """
        return bound_to_measure(self, MeasuredRotaryActuator, measures)

    def first_angles(self) -> np.ndarray:
        """Return (1,) zero: the start is within half a turn of it."""
        return np.zeros(1)

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (1,) the continuous angle."""
        i, j = markers
        return np.array([unwrapped(angle_about_z(i, j), float(last[0]))])

    def on_second(
        self, i: MarkerMotion, j: MarkerMotion, time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return no force, and the moment (3,) about z of the first marker."""
        return np.zeros(3), self._moment(i, time)

    def changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (12, 12) changes of both wrenches: the moment turns with the first marker; zeros by velocities."""
        by_place, by_speed = np.zeros((2, 12, 12))
        by_place[3:6, 3:6] = skew(self._moment(markers[0], time))
        by_place[9:, 3:6] = -by_place[3:6, 3:6]
        return by_place, by_speed

    def _moment(self, i: MarkerMotion, time: float) -> np.ndarray:
        return self.torque * float(self.time_history.factor(time)) * i.axes[:, 2]

    def read(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> tuple[float, ...]:
        """Return the continuous angle."""
        return (float(self.angles(markers, angles)[0]),)


class MeasuredRotaryActuator(Measured, RotaryActuator):
    """A rotary actuator that follows a measure."""
