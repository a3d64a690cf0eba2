"""Friction laws of joints, with the stiffness derived from the joint where none is given."""

from collections.abc import Iterable, Mapping

from faying.fem.model import FeModel
from faying.joints.contact_laws import ContactLaw
from faying.joints.contact_stiffness import side_of
from faying.joints.friction_laws import FrictionLaw
from faying.joints.pairs import ContactPairs
from faying.joints.sticking import beside
from faying.project.specs import JointSpec


def friction_law_of(joint: JointSpec, model: FeModel, pairs: ContactPairs) -> FrictionLaw | None:
    """Return the completed friction law of a joint; None without friction.

    Args:
        joint: the decisions, with absolute file names.
        model: of the body.
        pairs: of the joint.

    Raises:
        ModelError: when an unspecified stiffness of the law cannot be derived.
    """
    return acting_friction(f"Joint {joint.name!r}", joint.contact_law, joint.friction_law, model, pairs)


def acting_friction(
    whose: str, law: ContactLaw, friction: FrictionLaw | None, model: FeModel, pairs: ContactPairs
) -> FrictionLaw | None:
    """Return a friction law completed for a contact law; arguments and errors as for `friction_law_of`."""
    if friction is None or not friction.leaves_open:
        return friction
    sides = [side_of(model, nodes.ravel()) for nodes in (pairs.master_nodes, pairs.slave_shares[0])]
    return beside(friction, law.loaded(), sides, whose)


def friction_laws_of(
    joints: Iterable[JointSpec], model: FeModel, pairs: Mapping[str, ContactPairs]
) -> dict[str, FrictionLaw | None]:
    """Return the completed friction laws of joints by name, see `friction_law_of`."""
    return {joint.name: friction_law_of(joint, model, pairs[joint.name]) for joint in joints}


def laws_of(
    joints: Iterable[JointSpec], model: FeModel, pairs: Iterable[ContactPairs]
) -> tuple[tuple[ContactLaw, FrictionLaw | None], ...]:
    """Return contact law and completed friction law of joints, in order; errors as for `friction_law_of`."""
    known = zip(joints, pairs, strict=True)
    return tuple((joint.contact_law.loaded(), friction_law_of(joint, model, own)) for joint, own in known)
