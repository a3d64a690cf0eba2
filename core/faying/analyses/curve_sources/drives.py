"""Power of prescribed motions."""

from collections.abc import Iterable, Sequence

from faying.analyses.curve_sources import RecordedSystem, SystemCurveSource, SystemState, curve_sources
from faying.results.curve_key import Quantity


@curve_sources.register("drives")
class Drives(SystemCurveSource):
    """Their forces and moments are reactions of constraints; the work of all together is an energy."""

    title = "Drives"
    owners_kind = "constraint"
    quantities = (Quantity("power", "power", "That a prescribed motion gives to the parts."),)

    def owners(self, subject: RecordedSystem) -> Sequence[str]:
        """Return the prescribed motions."""
        return [each.name for each in subject.system.constraint_members if each.drives]

    def values(self, subject: RecordedSystem, state: SystemState) -> Iterable[float]:
        """Return the power of each."""
        now = state.state
        found = subject.system.drive_powers(now.time, now.all_multipliers)
        return [found[name] for name in self.owners(subject)]
