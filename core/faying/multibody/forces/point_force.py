"""A force and a moment at a marker."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from faying.load_histories import load_histories
from faying.multibody.characteristics import characteristics
from faying.multibody.following import (
    Measured,
    bound_to_measure,
    characteristic_parameter,
    measure_parameter,
)
from faying.multibody.forces import Force, ScalarOfMotion, forces
from faying.multibody.markers import MarkerMotion
from faying.params import member_of, parameter
from faying.spatial.rotations import skew

Vector = tuple[float, float, float]


@forces.register("point_force")
class PointForce(Force):
    """A force and a moment at a marker, fixed in space or turning with the marker."""

    marker: str = parameter(title="Marker", choices="marker", meaning="Where it acts.")
    force: Vector = parameter((0.0, 0.0, 0.0), title="Force", quantity="force", meaning="Components x, y, z.")
    moment: Vector = parameter(
        (0.0, 0.0, 0.0), title="Moment", quantity="moment", meaning="Components about x, y, z."
    )
    following: bool = parameter(
        False, title="Follows the marker",
        meaning="Whether the components count along the marker's axes, which turn with its part.",
    )  # fmt: skip
    time_history: member_of(load_histories) = parameter(  # type: ignore[valid-type]
        {"kind": "constant"}, title="Load history", meaning="How it grows over time."
    )
    measure: str = measure_parameter()
    characteristic: member_of(characteristics) | None = characteristic_parameter()  # type: ignore[valid-type]

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a force and a moment that turn with their marker."""
        return {
            **super().example(),
            "marker": "rod.b",
            "force": (1.0, -2.0, 3.0),
            "moment": (0.5, 0.1, -0.2),
            "following": True,
        }

    def bound(self, constraints: Mapping[str, Any], measures: Mapping[str, ScalarOfMotion]) -> Force:
        """Return the force as it follows its measure, if it names one.

        Raises:
            ModelError: when there is no such measure, or its value is not known before the force is.
        """
        return bound_to_measure(self, MeasuredPointForce, measures)

    def marker_names(self) -> tuple[str, ...]:
        """Return the one marker."""
        return (self.marker,)

    def wrenches(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> np.ndarray:
        """Return (6,) force and moment at that time."""
        factor = float(self.time_history.factor(time))
        force, moment = factor * np.array(self.force), factor * np.array(self.moment)
        if self.following:
            axes = markers[0].axes
            force, moment = axes @ force, axes @ moment
        return np.concatenate([force, moment])

    def changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (6, 6) changes: force and moment turn with a marker that they follow; zeros by velocities."""
        by_place, by_speed = np.zeros((2, 6, 6))
        if self.following:
            wrench = self.wrenches(markers, time, angles)
            by_place[:3, 3:], by_place[3:, 3:] = -skew(wrench[:3]), -skew(wrench[3:])
        return by_place, by_speed


class MeasuredPointForce(Measured, PointForce):
    """A force at a marker that follows a measure."""
