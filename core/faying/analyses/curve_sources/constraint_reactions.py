"""Reactions of constraints between parts."""

from collections.abc import Iterable, Sequence

from faying.analyses.curve_sources import RecordedSystem, SystemCurveSource, SystemState, curve_sources
from faying.results.curve_key import AXES, Quantity


@curve_sources.register("constraint_reactions")
class ConstraintReactions(SystemCurveSource):
    """On the second marker, along the axes of the first one."""

    title = "Reactions of constraints"
    owners_kind = "constraint"
    quantities = (
        Quantity("force", "force", "Force on the second marker, along the axes of the first one.", AXES),
        Quantity("moment", "moment", "Moment on the second marker, about the axes of the first one.", AXES),
    )

    def owners(self, subject: RecordedSystem) -> Sequence[str]:
        """Return the constraints."""
        return [each.name for each in subject.system.constraint_members]

    def values(self, subject: RecordedSystem, state: SystemState) -> Iterable[float]:
        """Return force and moment of each."""
        now = state.state
        found = subject.system.reactions(now.time, now.q, now.all_multipliers, state.history)
        for name in self.owners(subject):
            force, moment = found[name]
            yield from (*force, *moment)
