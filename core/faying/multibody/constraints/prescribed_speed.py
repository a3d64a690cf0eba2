"""A speed driven over time."""

from faying.load_histories import load_histories
from faying.multibody.constraints import constraints
from faying.multibody.constraints._prescribed import PrescribedAlong, speed_rates
from faying.params import member_of, parameter


@constraints.register("prescribed_speed")
class PrescribedSpeed(PrescribedAlong):
    """The second marker moves along the first one's z axis with a prescribed speed: one equation."""

    start: float = parameter(0.0, title="Start", quantity="length", meaning="Displacement at time zero.")
    speed: float = parameter(
        1.0, title="Speed", quantity="velocity", meaning="Speed where the time history is one."
    )
    time_history: member_of(load_histories) = parameter(  # type: ignore[valid-type]
        {"kind": "haversine"}, title="Time history", meaning="How the speed goes over time."
    )

    def wanted(self, time: float) -> float:
        """Return the displacement at a time: the integral of the speed."""
        return self.start + self.speed * float(self.time_history.integral(time))

    def rates(self, time: float) -> tuple[float, float]:
        """Return minus the speed and minus its change."""
        return speed_rates(self.speed, self.time_history, time)
