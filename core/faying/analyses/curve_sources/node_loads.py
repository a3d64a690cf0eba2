"""Forces and moments that act at interface nodes, where they change from step to step."""

from collections.abc import Iterable, Sequence

from faying.analyses.curve_sources import BodyCurveSource, BodyState, RecordedBody, curve_sources
from faying.results.curve_key import AXES, CurveKey, Quantity


@curve_sources.register("node_loads")
class NodeLoads(BodyCurveSource):
    """The components that any step gives."""

    title = "Loads at interface nodes"
    owners_kind = "interface"
    quantities = (
        Quantity("applied force", "force", "Force that acts at the node.", AXES, linear=True),
        Quantity("applied moment", "moment", "Moment that acts at the node.", AXES, linear=True),
    )

    def owners(self, subject: RecordedBody) -> Sequence[str]:
        """Return the nodes where loads act."""
        return list(dict.fromkeys(node for node, _ in subject.applied))

    def keys(self, subject: RecordedBody) -> tuple[CurveKey, ...]:
        """Return the keys of the components that act."""
        return tuple(
            [key for quantity in self.quantities for key in quantity.keys(self.owners_kind, node)][k]
            for node, k in subject.applied
        )

    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        """Return these components."""
        return [state.applied[each] for each in subject.applied]
