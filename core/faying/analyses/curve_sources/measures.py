"""Measures that users ask for."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from faying.analyses.curve_sources import RecordedSystem, SystemCurveSource, SystemState, curve_sources
from faying.multibody.measures import Observation, dimensions, in_order, measured
from faying.results.curve_key import CurveKey, Quantity


@curve_sources.register("measures")
class Measures(SystemCurveSource):
    """One curve of each measure of the system; its dimension is the measure's own."""

    title = "Measures"
    owners_kind = "measure"
    quantities = (Quantity("", "", "Value of the measure."),)

    def owners(self, subject: RecordedSystem) -> Sequence[str]:
        """Return the measures."""
        return [each.name for each in subject.measures]

    def keys(self, subject: RecordedSystem) -> tuple[CurveKey, ...]:
        """Return the key of each, with its dimension."""
        known = dimensions(subject.measures)
        return tuple(replace(key, dimension=known[key.owner]) for key in super().keys(subject))

    def values(self, subject: RecordedSystem, state: SystemState) -> Iterable[float]:
        """Return the value of each."""
        at = Observation(
            subject.system, state.state, state.history, state.touched, lambda: state.run, state.remembered
        )
        found = measured(in_order(subject.measures), at)
        return [found[each.name] for each in subject.measures]
