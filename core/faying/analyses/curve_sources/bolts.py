"""What bolts carry: axial force, bending moment and shear force."""

from collections.abc import Iterable, Sequence
from typing import Any

from faying.analyses.curve_sources import BodyCurveSource, BodyState, RecordedBody, RecordedRun, curve_sources
from faying.results.curve_key import Quantity, owner_text


@curve_sources.register("bolts")
class BoltCurves(BodyCurveSource):
    """Of the section of each bolt or bolt-like beam where they are largest; tension is positive."""

    title = "Bolts"
    owners_kind = "bolt"
    quantities = (
        Quantity("axial force", "force", "Force along the bolt, positive in tension.", linear=True),
        Quantity("bending moment", "moment", "Largest bending moment of its sections."),
        Quantity("shear force", "force", "Largest force across the bolt of its sections."),
    )

    def owners(self, subject: RecordedBody) -> Sequence[str]:
        """Return the bolts."""
        return [bolt.name for bolt in subject.bolts]

    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        """Return the three numbers of each bolt."""
        for bolt, tension in zip(subject.bolts, state.tensions, strict=True):
            yield from bolt.carried(state.x, tension, state.acting.amounts)

    def report(self, subject: RecordedBody, run: RecordedRun) -> dict[str, Any]:
        """Return the smallest and largest axial force of each bolt."""
        forces = {key: run.curve(key) for key in self.keys(subject) if key.quantity == "axial force"}
        found = {owner_text(k): [float(f.min()), float(f.max())] for k, f in forces.items() if len(f)}
        return {"bolt_forces": found}
