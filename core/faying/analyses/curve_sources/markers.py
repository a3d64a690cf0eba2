"""Positions and velocities of the markers of parts that move."""

from collections.abc import Iterable, Sequence

from faying.analyses.curve_sources import RecordedSystem, SystemCurveSource, SystemState, curve_sources
from faying.results.curve_key import AXES, Quantity


@curve_sources.register("markers")
class Markers(SystemCurveSource):
    """In the inertial frame."""

    title = "Motion of markers"
    owners_kind = "marker"
    quantities = (
        Quantity("position", "length", "Position in the inertial frame.", AXES),
        Quantity("velocity", "velocity", "Velocity in the inertial frame.", AXES),
    )

    def owners(self, subject: RecordedSystem) -> Sequence[str]:
        """Return the markers as "part.marker"."""
        parts = (part for part in subject.system.parts if part.n)
        return [f"{part.name}.{marker}" for part in parts for marker in part.marker_names()]

    def values(self, subject: RecordedSystem, state: SystemState) -> Iterable[float]:
        """Return position and velocity of each marker."""
        for marker in self.owners(subject):
            motion = subject.system.motion(marker, state.state.q, state.state.v)
            yield from (*motion.position, *motion.velocity)
