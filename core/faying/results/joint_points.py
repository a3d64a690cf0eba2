"""Gap, slip and friction of a joint at a frame, for all kinds of results."""

import numpy as np

from faying.joints.friction_laws import FrictionLaw
from faying.joints.pairs import ContactPairs
from faying.joints.pointwise import PointForces, joint_size, pointwise
from faying.reduction.body import JointRows
from faying.results.field import CONTACT, FRICTION, PAIRS, FieldContext


def joint_rows(context: FieldContext, joint: str) -> JointRows:
    """Return the rows of a joint by name."""
    return next(rows for rows in context.body.joints if rows.name == joint)


def joint_gap(context: FieldContext, joint: str, frame: int) -> np.ndarray:
    """Return (n_pairs,) gaps."""
    stored = context.frames.gap_and_slip(joint, frame)
    if stored is not None:
        return stored[0]
    rows = joint_rows(context, joint)
    return np.asarray(rows.initial_gaps + rows.normal @ context.frames.coordinates(frame))


def joint_slip(context: FieldContext, joint: str, frame: int) -> np.ndarray:
    """Return (n_pairs, 2) tangential displacements since the undeformed state."""
    stored = context.frames.gap_and_slip(joint, frame)
    if stored is not None:
        return stored[1]
    return np.asarray(joint_rows(context, joint).tangential @ context.frames.coordinates(frame))


def joint_points(context: FieldContext, joint: str, frame: int) -> PointForces:
    """Return pressures, friction stresses and status at a frame, from the committed history.

    Raises:
        ModelError: for mode shapes and operating shapes, small motions about a state that they do not contain.
    """
    CONTACT.require(context, joint, frame)
    history = context.frames.history(joint, frame)
    friction = context.friction_laws.get(joint) if history is not None else None
    weights = joint_rows(context, joint).weights
    if history is None:
        history = np.zeros((len(weights), 0))
    slip, gap = joint_slip(context, joint, frame), joint_gap(context, joint, frame)
    offset = context.frames.gap_offset(joint, frame)
    return pointwise(
        context.contact_laws[joint],
        friction,
        gap if offset is None else gap - offset,
        slip.__getitem__,
        history,
        0.0,
        size=joint_size(weights),
    )


def joint_friction(context: FieldContext, joint: str, frame: int) -> FrictionLaw:
    """Return the friction law that acts at a frame.

    Raises:
        ModelError: when the joint has none, or the frames do not include it.
    """
    FRICTION.require(context, joint, frame)
    law = context.friction_laws[joint]
    assert law is not None
    return law


def joint_pairs(context: FieldContext, joint: str) -> ContactPairs:
    """Return the contact pairs of a joint.

    Raises:
        ModelError: when they are not there.
    """
    PAIRS.require(context, joint)
    return context.pairs[joint]
