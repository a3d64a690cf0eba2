"""Force and moment in tied joints, those of the master on the slave surface."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from faying.analyses.curve_sources import BodyCurveSource, BodyState, RecordedBody, RecordedRun, curve_sources
from faying.results.curve_key import AXES, Quantity, owner_text


@curve_sources.register("tied_joints")
class TiedJoints(BodyCurveSource):
    """Moments are about the mean of the tied nodes."""

    title = "Tied joints"
    owners_kind = "joint"
    quantities = (
        Quantity("tied force", "force", "Force of the master on the slave surface.", AXES, linear=True),
        Quantity(
            "tied moment", "moment", "Moment of the same about the mean of the tied nodes.", AXES, linear=True
        ),
    )

    def owners(self, subject: RecordedBody) -> Sequence[str]:
        """Return the tied joints."""
        return [tie.name for tie in subject.ties]

    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        """Return the six components of each joint."""
        for tie in subject.ties:
            yield from tie.carried(state.elastic, state.acting)

    def report(self, subject: RecordedBody, run: RecordedRun) -> dict[str, Any]:
        """Return the largest force and the largest moment of each joint."""
        keys, found = self.keys(subject), dict[str, list[float]]()
        for first in range(0, len(keys), 6):
            each = np.array([run.curve(key) for key in keys[first : first + 6]]).reshape(2, 3, -1)
            found[owner_text(keys[first])] = np.linalg.norm(each, axis=1).max(axis=1, initial=0.0).tolist()
        return {"tied_joints": found}
