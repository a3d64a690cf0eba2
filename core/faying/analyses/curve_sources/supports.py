"""Forces and moments of supports on the body."""

from collections.abc import Iterable, Sequence

from faying.analyses.curve_sources import BodyCurveSource, BodyState, RecordedBody, curve_sources
from faying.results.curve_key import AXES, Quantity


@curve_sources.register("supports")
class Supports(BodyCurveSource):
    """Forces act on the supported surface; moments are about the mean of its nodes."""

    title = "Supports"
    owners_kind = "support"
    quantities = (
        Quantity("support force", "force", "Force of the support on the body.", AXES, linear=True),
        Quantity(
            "support moment", "moment", "Moment of the same about the mean of its nodes.", AXES, linear=True
        ),
    )

    def owners(self, subject: RecordedBody) -> Sequence[str]:
        """Return the supports of the body."""
        return [support.name for support in subject.supports]

    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        """Return the six components of each support."""
        for support in subject.supports:
            yield from support.carried(state.elastic, state.acting)
