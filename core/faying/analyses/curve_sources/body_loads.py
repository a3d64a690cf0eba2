"""How much acts of the loads that a body declares."""

from collections.abc import Iterable, Sequence

from faying.analyses.curve_sources import BodyCurveSource, BodyState, RecordedBody, curve_sources
from faying.results.curve_key import Quantity


@curve_sources.register("body_loads")
class BodyLoads(BodyCurveSource):
    """Pressures, weight, temperatures and other loads, in multiples of what the body declares."""

    title = "Loads of the body"
    owners_kind = "load"
    quantities = (Quantity("factor", "", "In multiples of the load that the body declares.", linear=True),)

    def owners(self, subject: RecordedBody) -> Sequence[str]:
        """Return the loads that act."""
        return subject.loads

    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        """Return the factor of each."""
        return [state.acting.amounts[name] for name in subject.loads]
