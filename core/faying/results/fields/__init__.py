"""Fields: a value per contact pair or node at a frame, evaluated on demand. A member is one file."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.reduction.body import ReducedBody
from faying.registry import Registry
from faying.results.results import FrameSource

fields: Registry[type["Field"]] = Registry("field", __name__)


@dataclass(frozen=True)
class FieldContext:
    """What a field may look at.

    `body` must be in the frame of reference of the results (`ReducedBody.frame`); laws by joint name.
    """

    frames: FrameSource
    body: ReducedBody
    contact_laws: dict[str, ContactLaw]
    friction_laws: dict[str, FrictionLaw | None]


class Field(ABC):
    """Evaluates one quantity; has no state.

    Attributes:
        title: for legends and menus.
        quantity: physical dimension (`faying.units.QUANTITIES`), "" for none.
        location: "joint" (a value per contact pair) or "body" (a value per node).
        colours: "sequential" from zero, "diverging" about zero, or "status" for the named states.
        states: names of the values 0, 1, 2, … of a status field.
        components: 1, or 3 for a vector per node.
    """

    title: ClassVar[str]
    quantity: ClassVar[str] = ""
    location: ClassVar[Literal["joint", "body"]] = "joint"
    colours: ClassVar[Literal["sequential", "diverging", "status"]] = "sequential"
    states: ClassVar[tuple[str, ...]] = ()
    components: ClassVar[int] = 1

    @abstractmethod
    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,) for a joint field, (n_nodes,) or (n_nodes, 3) for a body field."""
