"""A reduced body with the laws of its joints, as flexible parts are built from it."""

from dataclasses import dataclass

from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.reduction.body import ReducedBody


@dataclass(frozen=True)
class FlexibleBody:
    """A reduced body (free, in its Buckens frame) and the laws of each of its joints, in the body's order."""

    name: str
    reduced: ReducedBody
    laws: tuple[tuple[ContactLaw, FrictionLaw | None], ...] = ()
