"""Forces that weak ties carry in parallel to the contact of their joints."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from faying.analyses.curve_sources import BodyCurveSource, BodyState, RecordedBody, RecordedRun, curve_sources
from faying.analyses.curve_sources.reactions import displaced_key
from faying.results.curve_key import CurveKey, Quantity, owner_text


@curve_sources.register("weak_ties")
class WeakTies(BodyCurveSource):
    """Size of the force that the weak ties of a joint carry together."""

    title = "Weak ties"
    owners_kind = "joint"
    quantities = (Quantity("tie force", "force", "Size of the force that the weak ties carry together."),)

    def owners(self, subject: RecordedBody) -> Sequence[str]:
        """Return the joints that have weak ties."""
        return list(subject.weak_ties)

    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        """Return the force of each joint."""
        return (float(np.linalg.norm(rows @ state.x)) for rows in subject.weak_ties.values())

    def report(self, subject: RecordedBody, run: RecordedRun) -> dict[str, Any]:
        """Return the share of the load that the weak ties of each joint carry.

        It is the largest force of the ties over the largest sum of it and the joint's normal force, or over the
        external force if that is larger: the share then is small in a joint that is not loaded.
        """
        moving = [displaced_key(node, k) for node, k in subject.displaced if k < 3]
        applied = run.applied + sum(float(np.abs(run.curve(key)).max(initial=0.0)) for key in moving)
        shares: dict[str, float] = {}
        for key in self.keys(subject):
            ties = run.curve(key)
            normal = run.curve(CurveKey("normal force", kind="joint", owner=key.owner, part=key.part))
            whole = max(float((ties + normal).max(initial=0.0)), applied)
            shares[owner_text(key)] = float(ties.max(initial=0.0)) / whole if whole else 0.0
        return {"tie_shares": shares}
