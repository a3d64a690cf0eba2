"""Work of friction and wear between the stored frames of a run, summed up to each frame."""

from dataclasses import dataclass, field

import numpy as np

from faying.errors import ModelError
from faying.joints.pointwise import ContactStatus, PointForces
from faying.results.fields import RUN, FieldContext
from faying.results.joint_points import joint_points, joint_slip


@dataclass
class _Sum:
    """Sums up to each frame, and the last frame's state, from which they continue when there are more frames."""

    work: list[np.ndarray] = field(default_factory=list)
    wear: list[np.ndarray] = field(default_factory=list)
    slip: np.ndarray | None = None
    points: PointForces | None = None


def require_order(context: FieldContext, joint: str, what: str) -> None:
    """Refuse frames that do not follow each other."""
    RUN.require(context)
    if context.frames.axis.several_cases:
        raise ModelError(
            f"Frames of several load cases do not follow each other, so they have no {what}.",
            "Choose the frames of one analysis, or another field.",
        )
    if context.frames.gap_and_slip(joint, 0) is not None:
        raise ModelError(
            f"Unreduced results have no {what}: they were computed without friction.", "Choose another field."
        )


def work_and_wear(context: FieldContext, joint: str, frame: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (n_pairs,) friction work per area ∫ τ · ds, and Archard's integral ∫ p |ds| while slipping.

    Trapezoidal rule over the stored frames up to this one: store at least about twenty frames of each cycle of slip.
    """
    found: _Sum = context.kept.of(context.frames).setdefault(("friction work", joint), _Sum())
    for i in range(len(found.work), frame + 1):
        slip, points = joint_slip(context, joint, i), joint_points(context, joint, i)
        if found.slip is None or found.points is None:
            found.work.append(np.zeros(len(slip)))
            found.wear.append(np.zeros(len(slip)))
        else:
            step, before = slip - found.slip, found.points
            stress = 0.5 * (before.stress + points.stress)
            found.work.append(found.work[-1] + np.einsum("ni,ni->n", stress, step))
            # A pair that slips at the end of the step has slipped on the way.
            slides = points.status == ContactStatus.SLIPPING
            distance = np.where(slides, np.linalg.norm(step, axis=1), 0.0)
            found.wear.append(found.wear[-1] + 0.5 * (before.pressure + points.pressure) * distance)
        found.slip, found.points = slip, points
    return found.work[frame], found.wear[frame]
