"""State of joints: shares that are closed and slip, deepest penetration, norm of the gaps, normal force."""

from collections.abc import Iterable, Sequence

import numpy as np

from faying.analyses.curve_sources import BodyCurveSource, BodyState, RecordedBody, curve_sources
from faying.joints.pointwise import ContactStatus
from faying.results.curve_key import Quantity


@curve_sources.register("joints")
class JointCurves(BodyCurveSource):
    """Shares are of the joint's paired area; the gap norm is ‖g_N‖₂ over the pairs (thesis section 4.1.1)."""

    title = "State of joints"
    owners_kind = "joint"
    quantities = (
        Quantity("closed share", "", "Share of the area where pairs are closed."),
        Quantity("slipping share", "", "Share of the area where pairs slip."),
        Quantity("largest penetration", "length", "Deepest penetration of all pairs."),
        Quantity("gap norm", "length", "Root of the sum of squares of the gaps of all pairs."),
        Quantity("normal force", "force", "Sum of the pressures times the areas of the pairs."),
    )

    def owners(self, subject: RecordedBody) -> Sequence[str]:
        """Return the joints with contact."""
        return [rows.name for rows in subject.joints]

    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        """Return the five numbers of each joint."""
        for rows, answer in zip(subject.joints, state.responses, strict=True):
            area = rows.weights
            yield area[answer.status != ContactStatus.GAPING].sum() / area.sum()
            yield area[answer.status == ContactStatus.SLIPPING].sum() / area.sum()
            yield max(-answer.gap.min(initial=0.0), 0.0)
            yield float(np.linalg.norm(answer.gap))
            yield area @ answer.pressure
