"""Overlap of the cuts of bolts that are tightened step by step."""

from collections.abc import Iterable, Sequence

from faying.analyses.curve_sources import BodyCurveSource, BodyState, RecordedBody, curve_sources
from faying.results.curve_key import Quantity


@curve_sources.register("bolt_overlaps")
class BoltOverlaps(BodyCurveSource):
    """By how much the two sides of a bolt's cut overlap: the way of the nut."""

    title = "Overlap of bolts"
    owners_kind = "bolt"
    quantities = (Quantity("overlap", "length", "By how much the sides of the bolt's cut overlap."),)

    def owners(self, subject: RecordedBody) -> Sequence[str]:
        """Return the bolts that are cut, in an analysis that tightens them."""
        return subject.overlaps

    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        """Return the overlap of each."""
        return state.overlaps
