"""A reduced body with the laws of its joints, as flexible parts are built from it."""

from dataclasses import dataclass

from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.sampled import JointSample
from faying.reduction.body import ReducedBody


@dataclass(frozen=True)
class FlexibleBody:
    """A reduced body (free, in its Buckens frame) and the laws of each of its joints, in the body's order.

    `samples` are the pairs that act in them, for those that are sampled; () where all do.
    """

    name: str
    reduced: ReducedBody
    laws: tuple[tuple[ContactLaw, FrictionLaw | None], ...] = ()
    samples: tuple[JointSample | None, ...] = ()
