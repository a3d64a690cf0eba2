"""An angle driven over time."""

from collections.abc import Mapping

from faying.load_histories import load_histories
from faying.multibody.characteristics import characteristics
from faying.multibody.constraints import Constraint, constraints
from faying.multibody.constraints._measured import (
    bound_to_measure,
    characteristic_parameter,
    measure_parameter,
)
from faying.multibody.constraints._prescribed import PrescribedAbout, motion_rates
from faying.multibody.forces import ScalarOfMotion
from faying.params import member_of, parameter


@constraints.register("prescribed_angle")
class PrescribedAngle(PrescribedAbout):
    """The second marker turns about the first one's z axis as prescribed: one equation; a hinge is extra."""

    start: float = parameter(
        0.0, title="Start", quantity="angle", meaning="Angle that is added to the time history's."
    )
    amplitude: float = parameter(
        1.0, title="Angle", quantity="angle", meaning="Angle from x of the first to x of the second marker "
        "where the time history is one.",
    )  # fmt: skip
    time_history: member_of(load_histories) = parameter(  # type: ignore[valid-type]
        {"kind": "haversine"}, title="Time history", meaning="How it goes over time."
    )

    measure: str = measure_parameter()
    characteristic: member_of(characteristics) | None = characteristic_parameter()  # type: ignore[valid-type]

    def bound(self, measures: Mapping[str, ScalarOfMotion]) -> Constraint:
        """Return the drive as it follows its measure, if it names one.

        Raises:
            ModelError: when there is no such measure, or it does not follow from positions alone.
        """
        return bound_to_measure(self, "angle", measures)

    def wanted(self, time: float) -> float:
        """Return the angle at a time."""
        return self.start + self.amplitude * float(self.time_history.factor(time))

    def rates(self, time: float) -> tuple[float, float]:
        """Return minus the first and second derivative of the wanted motion."""
        return motion_rates(self.amplitude, self.time_history, time)
