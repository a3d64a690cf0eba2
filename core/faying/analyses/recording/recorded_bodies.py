"""Bodies as sources of curves see them, reduced and not."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from faying.analyses import BodyModel, needed
from faying.analyses.recording.curve_source import RecordedBody
from faying.analyses.statics.supports import interface_rows
from faying.joints.friction_laws import FrictionLaw
from faying.reduction.body import ReducedBody
from faying.results.names import path_of


def recorded_body(
    body: ReducedBody, names: Sequence[str], laws: Sequence[FrictionLaw | None], **more: Any
) -> RecordedBody:
    """Return a reduced body as it is held.

    Args:
        body: the reduced body.
        names, laws: of its joints with contact, in the order of their responses.
        more: of a `RecordedBody`.
    """
    rows = {each.name: each for each in body.joints}
    return RecordedBody(
        joints=[rows[name] for name in names],
        laws=laws,
        interfaces={name: own for name, own in body.interfaces.items() if name != body.frame},
        weak_ties={each.name: each.tie_force for each in body.joints if each.tie_force is not None},
        bolts=body.bolts,
        ties=body.ties,
        supports=body.supports,
        **more,
    )


def recorded_fe_body(
    body: BodyModel, laws: Sequence[FrictionLaw | None], support: str, **more: Any
) -> RecordedBody:
    """Return an FE model; bolts, ties and supports are among what is given with it.

    Args:
        body: with matrices.
        laws: of its joints with contact.
        support: the interface node that is held.
        more: of a `RecordedBody`.
    """
    ties = zip(body.joints, needed(body.matrices).tie_forces or (None,) * len(body.joints), strict=True)
    return RecordedBody(
        joints=body.joints,
        laws=laws,
        interfaces={n: own for n, own in interface_rows(body).items() if n != support},
        weak_ties={joint.name: force for joint, force in ties if force is not None},
        **more,
    )


def joint_data(
    names: Sequence[str], histories: Sequence[np.ndarray], offsets: Sequence[np.ndarray] = ()
) -> dict[str, np.ndarray]:
    """Return what is stored of joints in a frame, by path.

    Args:
        names: of the joints.
        histories: (n_pairs, h) of friction; those without numbers are left out.
        offsets: (n_pairs,) of the gaps in hard contact; none without.
    """
    found = {path_of("joints", n, "history"): h for n, h in zip(names, histories, strict=True) if h.size}
    return found | {path_of("joints", n, "gap_offset"): o for n, o in zip(names, offsets, strict=False)}
