"""An acceleration driven over time."""

from faying.load_histories import load_histories
from faying.multibody.constraints import constraints
from faying.multibody.constraints._prescribed import PrescribedAlong, acceleration_rates
from faying.params import member_of, parameter


@constraints.register("prescribed_acceleration")
class PrescribedAcceleration(PrescribedAlong):
    """The second marker moves along the first one's z axis with a prescribed acceleration: one equation."""

    start: float = parameter(0.0, title="Start", quantity="length", meaning="Displacement at time zero.")
    speed: float = parameter(0.0, title="First speed", quantity="velocity", meaning="Speed at time zero.")
    acceleration: float = parameter(
        1.0,
        title="Acceleration",
        quantity="acceleration",
        meaning="Acceleration where the time history is one.",
    )
    time_history: member_of(load_histories) = parameter(  # type: ignore[valid-type]
        {"kind": "haversine"}, title="Time history", meaning="How the acceleration goes over time."
    )

    def wanted(self, time: float) -> float:
        """Return the displacement at a time: the double integral of the acceleration."""
        history = self.time_history
        return self.start + self.speed * time + self.acceleration * float(history.double_integral(time))

    def rates(self, time: float) -> tuple[float, float]:
        """Return minus the speed and minus the acceleration."""
        return acceleration_rates(self.speed, self.acceleration, self.time_history, time)
