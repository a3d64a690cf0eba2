"""Angles that constraints count, over whole turns."""

from collections.abc import Iterable, Sequence

from faying.analyses.curve_sources import RecordedSystem, SystemCurveSource, SystemState, curve_sources
from faying.multibody.constraints import PairConstraint
from faying.results.curve_key import Quantity


@curve_sources.register("constraint_angles")
class ConstraintAngles(SystemCurveSource):
    """The first angle between the two markers of a constraint."""

    title = "Angles of constraints"
    owners_kind = "constraint"
    quantities = (Quantity("angle", "angle", "Angle between its markers, over whole turns."),)

    def owners(self, subject: RecordedSystem) -> Sequence[str]:
        """Return the constraints between two markers."""
        members = subject.system.constraint_members
        return [each.name for each in members if isinstance(each, PairConstraint)]

    def values(self, subject: RecordedSystem, state: SystemState) -> Iterable[float]:
        """Return the angle of each."""
        system = subject.system
        for constraint, last in zip(system.constraint_members, state.history.angles, strict=True):
            if isinstance(constraint, PairConstraint):
                pair = [system.motion(name, state.state.q) for name in constraint.marker_names()]
                yield float(constraint.angles(pair, last)[0])
