"""Displacements and rotations of interface nodes, as seen from the support."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from faying.analyses.curve_sources import (
    BodyCurveSource,
    BodyState,
    RecordedBody,
    RecordedRun,
    curve_sources,
)
from faying.results.curve_key import AXES, CurveKey, Quantity

_SMALL = 0.5  # rad, beyond which no rotation is small


@curve_sources.register("interface_motions")
class InterfaceMotions(BodyCurveSource):
    """Rotations of nodes that have them."""

    title = "Motion of interface nodes"
    owners_kind = "interface"
    quantities = (
        Quantity(
            "displacement", "length", "Displacement of the node as seen from the support.", AXES, linear=True
        ),
        Quantity("rotation", "angle", "Small rotation of the node.", AXES, linear=True),
    )

    def owners(self, subject: RecordedBody) -> Sequence[str]:
        """Return the interface nodes, the one that is held left out."""
        return list(subject.interfaces)

    def keys(self, subject: RecordedBody) -> tuple[CurveKey, ...]:
        """Return the keys of three or six components of each node."""
        found: list[CurveKey] = []
        for node, rows in subject.interfaces.items():
            both = [key for quantity in self.quantities for key in quantity.keys(self.owners_kind, node)]
            found += both[: rows.shape[0]]
        return tuple(found)

    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        """Return these components."""
        for rows in subject.interfaces.values():
            yield from rows @ state.x

    def report(self, subject: RecordedBody, run: RecordedRun) -> dict[str, Any]:
        """Return the largest rotation of each node that turns by more than a small one; nothing where none does."""
        turned: dict[str, float] = {}
        for key in self.keys(subject):
            if key.quantity == "rotation":
                angle = float(np.abs(run.curve(key)).max(initial=0.0))
                turned[key.owner] = max(angle, turned.get(key.owner, 0.0))
        far = {node: angle for node, angle in turned.items() if angle > _SMALL}
        return {"large_rotations": far} if far else {}
