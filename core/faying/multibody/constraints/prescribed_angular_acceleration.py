"""An angular acceleration driven over time."""

from faying.load_histories import load_histories
from faying.multibody.constraints import constraints
from faying.multibody.constraints._prescribed import PrescribedAbout, acceleration_rates
from faying.params import member_of, parameter


@constraints.register("prescribed_angular_acceleration")
class PrescribedAngularAcceleration(PrescribedAbout):
    """The second marker turns about the first one's z axis with a prescribed angular acceleration: one equation."""

    start: float = parameter(0.0, title="Start", quantity="angle", meaning="Angle at time zero.")
    speed: float = parameter(
        0.0, title="First speed", quantity="angular_velocity", meaning="Angular speed at time zero."
    )
    acceleration: float = parameter(
        1.0, title="Angular acceleration", quantity="angular_acceleration",
        meaning="Angular acceleration where the time history is one.",
    )  # fmt: skip
    time_history: member_of(load_histories) = parameter(  # type: ignore[valid-type]
        {"kind": "haversine"}, title="Time history", meaning="How the angular acceleration goes over time."
    )

    def wanted(self, time: float) -> float:
        """Return the angle at a time: the double integral of the angular acceleration."""
        history = self.time_history
        return self.start + self.speed * time + self.acceleration * float(history.double_integral(time))

    def rates(self, time: float) -> tuple[float, float]:
        """Return minus the speed and minus the angular acceleration."""
        return acceleration_rates(self.speed, self.acceleration, self.time_history, time)
