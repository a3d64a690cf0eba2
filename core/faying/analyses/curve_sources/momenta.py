"""Momentum of parts that touch others."""

from collections.abc import Iterable, Sequence

from faying.analyses.curve_sources import RecordedSystem, SystemCurveSource, SystemState, curve_sources
from faying.results.curve_key import AXES, Quantity


@curve_sources.register("momenta")
class Momenta(SystemCurveSource):
    """The momentum of deformation is included."""

    title = "Momentum of parts"
    owners_kind = "part"
    quantities = (Quantity("momentum", "impulse", "Momentum, that of deformation included.", AXES),)

    def owners(self, subject: RecordedSystem) -> Sequence[str]:
        """Return the moving parts with contacts, where the analysis sums over its steps."""
        if "impulse" not in subject.run:
            return ()
        members = subject.system.contacts.members
        touching = {name for each in members for name in (each.master_part, each.slave_part)}
        return [part.name for part in subject.system.parts if part.n and part.name in touching]

    def values(self, subject: RecordedSystem, state: SystemState) -> Iterable[float]:
        """Return the momentum of each."""
        wanted, now = set(self.owners(subject)), state.state
        for part, at in zip(subject.system.parts, subject.system.ranges, strict=True):
            if part.name in wanted:
                yield from part.momentum(now.q[at], now.v[at])[0]
